-- The calendar of all deadlines of a person, at a secret address that is made when it is asked for.

-- How many addresses have been made; nothing while there was none.
alter table people add column calendar_generation bigint;
-- The hash of the newest one; nothing where it was shut.
alter table people add column calendar_hash text;

create unique index people_by_calendar on people (calendar_hash) where calendar_hash is not null;
