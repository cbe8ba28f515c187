-- When the organiser invited somebody to a seat that is free; until some time after that its being free is no staying away.
alter table seats add column offered_at bigint;

-- What an organiser counts, of the last days: neither table ever shrinks.
create index turns_by_time on turns (resolved_at);
create index outbox_by_sending on outbox (sent_at);
create index outbox_by_failing on outbox (failed_at);
create index outbox_by_return on outbox (returned_at);
