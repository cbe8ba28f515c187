-- Where the server stands: one that was moved, or restored from a copy, wakes quiet.

create table place (
    -- There is one row, named 1.
    one bigint not null primary key,
    -- The public address that players know; nothing while there is none.
    address text,
    -- Rises whenever the server goes on after a move or from a copy.
    epoch bigint not null,
    -- When this copy was made; nothing in the database that is not a copy.
    copied_at bigint
);

insert into place (one, epoch) values (1, 0);

-- The epoch in which a letter was queued: letters of different epochs are strangers to each other.
alter table outbox add column epoch bigint;
