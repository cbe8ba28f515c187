-- What became of letters: whose they were, which came back, and seats whose letters are stopped.

-- A letter about a game is its person's of the moment when it was queued: whoever has the seat later is shown none of it.
update outbox set person_id =
    (select seats.person_id from seats where seats.game_id = outbox.game_id and seats.side = outbox.side)
where game_id is not null;

-- When it came back, and when for good, with what the other side said.
alter table outbox add column returned_at bigint;
alter table outbox add column returned_hard_at bigint;
alter table outbox add column returned_why text;

-- Since when its player wants no letters about the game.
alter table seats add column letters_off_at bigint;
-- Since when none leave, because too many came back.
alter table seats add column letters_back_at bigint;
-- Letters that were queued before do not count when they come back.
alter table seats add column letters_since bigint;

-- Letters that have been tried least leave first.
create index outbox_next on outbox (attempts, due_at) where sent_at is null and failed_at is null;
