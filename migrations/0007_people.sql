-- Signing in: a browser that has followed a link mailed to a person's address holds all seats of that person.

alter table sessions add column person_id text references people (id);
alter table sessions add column signed_in_at bigint;

create index sessions_by_person on sessions (person_id);

-- Wrong codes that were typed for a game, whether there is one or not, since the first of the hour.
create table code_tries (
    game_id text not null primary key,
    began_at bigint not null,
    tries bigint not null
);

create index code_tries_by_time on code_tries (began_at);

-- People who had themselves removed: nothing but the id, so that a restored backup forgets them again.
create table erasures (
    person_id text not null primary key,
    erased_at bigint not null,
    -- When it was written to the file beside the database.
    written_at bigint
);

create index outbox_by_about on outbox (about) where about is not null;
