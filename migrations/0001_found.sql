-- Games, their seats, what lies sealed, what was resolved, who may come in, and what is to be sent.
-- The dialect is described in migrations/README.md.

create table boards (
    hash text not null primary key,
    body text not null,
    created_at bigint not null
);

create table games (
    id text not null primary key,
    board_hash text not null references boards (hash),
    setup text not null,
    opener text not null,
    version bigint not null,
    turn bigint not null,
    standing text not null,
    opened_at bigint not null,
    ended_at bigint,
    outcome text,
    ending text
);

create table seats (
    game_id text not null references games (id),
    side text not null,
    name text,
    address text,
    taken_at bigint,
    link_generation bigint not null,
    link_hash text not null,
    invitation_generation bigint not null,
    primary key (game_id, side)
);

create unique index seats_by_link on seats (link_hash);

create table invitations (
    hash text not null primary key,
    game_id text not null,
    side text not null,
    made_at bigint not null,
    withdrawn_at bigint,
    taken_at bigint,
    foreign key (game_id, side) references seats (game_id, side)
);

create index invitations_by_seat on invitations (game_id, side);

create table sheets (
    game_id text not null,
    side text not null,
    turn bigint not null,
    body text not null,
    salt text not null,
    seal text not null,
    sealed_at bigint not null,
    primary key (game_id, side),
    foreign key (game_id, side) references seats (game_id, side)
);

create table turns (
    game_id text not null references games (id),
    turn bigint not null,
    red_how text not null,
    red_body text not null,
    red_salt text not null,
    red_seal text not null,
    red_sealed_at bigint not null,
    blue_how text not null,
    blue_body text not null,
    blue_salt text not null,
    blue_seal text not null,
    blue_sealed_at bigint not null,
    standing text not null,
    report_hash text not null,
    resolved_at bigint not null,
    primary key (game_id, turn)
);

create table sessions (
    hash text not null primary key,
    created_at bigint not null
);

create table session_seats (
    session_hash text not null references sessions (hash),
    game_id text not null,
    side text not null,
    link_generation bigint not null,
    entered_at bigint not null,
    primary key (session_hash, game_id, side),
    foreign key (game_id, side) references seats (game_id, side)
);

create index session_seats_by_seat on session_seats (game_id, side);

create table outbox (
    id text not null primary key,
    kind text not null,
    game_id text not null,
    turn bigint not null,
    side text not null,
    revision bigint not null,
    created_at bigint not null,
    due_at bigint not null,
    attempts bigint not null,
    claimed_until bigint,
    sent_at bigint,
    failed_at bigint,
    last_error text,
    foreign key (game_id, side) references seats (game_id, side)
);

create unique index outbox_once on outbox (game_id, turn, side, kind, revision);
create index outbox_due on outbox (due_at) where sent_at is null and failed_at is null;
