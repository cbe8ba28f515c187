-- What players agree on, and what proves a game: the running hash, games that begin in the middle, offers.

-- The running hash over a turn and all before it; turns resolved before this have none kept, and it is computed for them.
alter table turns add column chain text;

-- Where a game began, if not before the deployments; and the games that carry one another on.
alter table games add column start text;
alter table games add column continues text;
alter table games add column continued_in text;

-- What one side offers the other: a draw, or to go on from the dawn of an earlier turn. It lapses with the turn.
create table offers (
    game_id text not null,
    kind text not null,
    side text not null,
    turn bigint not null,
    from_turn bigint,
    made_at bigint not null,
    primary key (game_id, kind),
    foreign key (game_id, side) references seats (game_id, side)
);
