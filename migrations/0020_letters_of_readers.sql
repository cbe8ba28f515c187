-- What tells the readers of a seat's letters apart, and from when a letter is, for its header `Date` and its code.
alter table outbox add column seat_generation bigint;
alter table outbox add column ready_at bigint;

-- Addresses that wrote for seats which others have by now: from here on they are forgotten with the seat.
delete from mail_senders where not exists (select 1 from seats where seats.game_id = mail_senders.game_id
    and seats.side = mail_senders.side and seats.link_generation = mail_senders.generation);
