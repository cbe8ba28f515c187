-- Computer players: which seats are a computer's, and whose sheets are awaited.

-- The level of a seat's computer, and the first turn that it writes; nothing on the seats of people.
alter table seats add column computer text;
alter table seats add column computer_since bigint;

-- Computers whose sheets are awaited, and until when a process computes one. A call is dropped when it is answered, so
-- that this is as small as the number of computers that have something to write.
create table computer_calls (
    game_id text not null,
    side text not null,
    turn bigint not null,
    called_at bigint not null,
    leased_until bigint,
    primary key (game_id, side),
    foreign key (game_id, side) references seats (game_id, side)
);

create index computer_calls_by_time on computer_calls (called_at);
