-- The clock: how fast a game goes, when its awaited turn is due, who missed how many turns.

alter table games add column pace text;
alter table games add column due_at bigint;

-- Games that have ended, and games without deadlines, are not in it.
create index games_due on games (due_at) where due_at is not null;

-- Turns missed in all and running; a seat that never missed one has nothing here.
alter table seats add column missed bigint;
alter table seats add column missed_running bigint;

-- What the server remembers of itself, as when it was last awake.
create table memory (
    name text not null primary key,
    number bigint not null
);
