-- The organiser's desk: who may act there, what was done and why, and what it left behind.

-- Tokens of organisers. Of each the hash is kept; whoever revokes one, or lets it end, shuts it at once.
create table admin_tokens (
    id text not null primary key,
    name text not null,
    scope text not null,
    hash text not null,
    -- The person whom it belongs to, so that nobody acts on a game of their own. It outlives the person.
    person_id text,
    made_at bigint not null,
    ends_at bigint,
    revoked_at bigint,
    used_at bigint
);

create unique index admin_tokens_by_hash on admin_tokens (hash);

-- What organisers did. Rows are added, and never changed or removed.
create table admin_acts (
    id text not null primary key,
    done_at bigint not null,
    token_id text,
    who text not null,
    act text not null,
    game_id text references games (id),
    -- Acts on a game are numbered from 1.
    number bigint,
    side text,
    -- What exactly, in words; never an address and never anything of a sheet.
    about text not null,
    -- For the players of the game.
    reason text not null,
    -- For organisers.
    note text,
    -- The game's version afterwards.
    version bigint
);

create unique index admin_acts_by_game on admin_acts (game_id, number);

-- Requests that may come twice, by the key that the asker gave them, and the act that came of each.
create table admin_requests (
    token_id text not null,
    request_key text not null,
    request_hash text not null,
    act_id text not null,
    made_at bigint not null,
    primary key (token_id, request_key)
);

create index admin_requests_by_time on admin_requests (made_at);

-- Addresses from which nobody opens a game, takes a seat, signs in or sends mail. Of an address a hash is kept that only
-- this server can make.
create table admin_blocks (
    id text not null primary key,
    address_hash text not null,
    made_at bigint not null,
    lifted_at bigint
);

create index admin_blocks_by_address on admin_blocks (address_hash) where lifted_at is null;

-- Seats whose new link goes to an address that nobody has proven, as soon as the opponent agrees.
create table admin_reissues (
    game_id text not null,
    side text not null,
    address text not null,
    reason text not null,
    asked_at bigint not null,
    primary key (game_id, side),
    foreign key (game_id, side) references seats (game_id, side)
);

-- What stands above all pages for a while.
create table announcements (
    id text not null primary key,
    body text not null,
    made_at bigint not null,
    ends_at bigint not null,
    withdrawn_at bigint
);

create index announcements_by_end on announcements (ends_at);

-- The lists of the desk.
create index games_by_opening on games (opened_at, id);
create index games_by_move on games (moved_at, id) where ended_at is null;
create index outbox_failed on outbox (created_at, id) where failed_at is not null;
create index outbox_returned on outbox (created_at, id) where returned_at is not null;
create index mail_seen_by_when on mail_seen (seen_at);
