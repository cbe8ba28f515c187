-- The table: half-written sheets, what-ifs and notes of one writer, which days a seat has watched,
-- and games in which both sides sit at one device.

create table drafts (
    game_id text not null,
    side text not null,
    turn bigint not null,
    body text not null,
    saved_at bigint not null,
    primary key (game_id, side),
    foreign key (game_id, side) references seats (game_id, side)
);

create table what_ifs (
    id text not null primary key,
    game_id text not null,
    side text not null,
    turn bigint not null,
    name text not null,
    own_body text not null,
    other_body text not null,
    saved_at bigint not null,
    foreign key (game_id, side) references seats (game_id, side)
);

create index what_ifs_by_seat on what_ifs (game_id, side, turn);

create table notes (
    game_id text not null,
    side text not null,
    about text not null,
    body text not null,
    saved_at bigint not null,
    primary key (game_id, side, about),
    foreign key (game_id, side) references seats (game_id, side)
);

-- The last turn that a seat has watched, and whether it wants results without watching.
alter table seats add column seen_turn bigint;
alter table seats add column result_first_at bigint;

-- What was resolved before this counts as watched.
update seats set seen_turn = (select games.turn - 1 from games where games.id = seats.game_id);

-- Both sides at one device: since when, and who sits there now (nobody while it changes hands).
alter table games add column one_device_at bigint;
alter table games add column sitting text;
