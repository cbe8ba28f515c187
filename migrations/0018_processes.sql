-- Processes that work on this database. Each gives a sign of life every few seconds; one that stops takes its row with it,
-- and one that gives no sign any more loses it to another.
create table processes (
    id text not null primary key,
    -- What it runs, a word of `play::processes`.
    part text not null,
    version text not null,
    started_at bigint not null,
    -- When it gave the last sign, by its own clock, and how many it has given: others watch that number.
    beat_at bigint not null,
    beats bigint not null,
    -- Since when it resolves what is due; nothing while it finds out whether the server was down, and where it never does.
    awake_at bigint
);

-- The process that has claimed a letter, or computes for a computer. What a process has claimed that is not there any more
-- is free.
alter table outbox add column claimed_by text;
alter table computer_calls add column claimed_by text;
