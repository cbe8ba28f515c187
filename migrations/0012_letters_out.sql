-- What became of letters: whose they were, which came back, and seats whose letters are stopped.

-- Whose letter it was when it was queued: whoever has the seat later is shown none of it.
alter table outbox add column person_id text;
-- When it came back, and when for good, with what the other side said.
alter table outbox add column returned_at bigint;
alter table outbox add column returned_hard_at bigint;
alter table outbox add column returned_why text;

update outbox set person_id =
    (select seats.person_id from seats where seats.game_id = outbox.game_id and seats.side = outbox.side)
where game_id is not null;

-- Since when its player wants no letters about the game.
alter table seats add column letters_off_at bigint;
-- Since when none leave, because too many came back.
alter table seats add column letters_back_at bigint;
-- Letters that were queued before do not count when they come back.
alter table seats add column letters_since bigint;

create index outbox_by_person on outbox (person_id) where person_id is not null;
