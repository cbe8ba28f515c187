-- Webhooks: programs that are told when a game has changed, instead of asking again and again.

-- Whom to tell. A seat's webhook is bound to the seat's generation: whoever is put out of a seat hears nothing more of it.
-- The organiser's webhooks hear of all games, and have no seat. Of a secret nothing is kept: it is derived from the id and
-- the generation.
create table webhooks (
    id text not null primary key,
    game_id text,
    side text,
    seat_generation bigint,
    url text not null,
    -- The kinds of event that are wanted, a space between them; empty for all.
    kinds text not null,
    secret_generation bigint not null,
    -- When the secret was last renewed: the one before counts a while longer.
    renewed_at bigint,
    made_at bigint not null,
    -- Until when a worker has it.
    claimed_until bigint,
    -- Nothing is tried before: what is told has failed.
    rest_until bigint,
    -- How many tries have failed running, and since when none has succeeded.
    failures bigint not null,
    failing_since bigint,
    delivered_at bigint,
    off_at bigint,
    off_why text,
    foreign key (game_id, side) references seats (game_id, side)
);

create index webhooks_by_seat on webhooks (game_id, side);

-- What is told, or was. References, and never anything that somebody has written.
create table webhook_events (
    id text not null primary key,
    webhook_id text not null references webhooks (id),
    kind text not null,
    game_id text,
    turn bigint,
    version bigint,
    made_at bigint not null,
    due_at bigint not null,
    tries bigint not null,
    tried_at bigint,
    -- The last answer, a status of HTTP, and what was wrong in a few words.
    status bigint,
    why text,
    delivered_at bigint,
    given_up_at bigint
);

create index webhook_events_waiting on webhook_events (webhook_id, due_at)
    where delivered_at is null and given_up_at is null;
create index webhook_events_by_webhook on webhook_events (webhook_id, id);
create index webhook_events_by_time on webhook_events (made_at);
