-- Company: public games and who looks on, open challenges, who will not play with whom, rematches, letters of invitation,
-- and what both players of a game write to each other.

-- Since when a game may be looked at by everybody, since when both seats are taken, and which game it is the rematch of.
alter table games add column public_at bigint;
alter table games add column seated_at bigint;
alter table games add column rematch_of text;

update games set seated_at = (select max(seats.taken_at) from seats where seats.game_id = games.id)
where not exists (select 1 from seats where seats.game_id = games.id and seats.taken_at is null);

-- A game has one rematch, whoever asks first.
create unique index games_by_rematch on games (rematch_of);

-- The lists of public games, newest first: those that go on, and those that are over.
create index games_running on games (seated_at, id)
where public_at is not null and seated_at is not null and ended_at is null;
create index games_running_by_board on games (board_hash, seated_at, id)
where public_at is not null and seated_at is not null and ended_at is null;
create index games_over on games (ended_at, id)
where public_at is not null and seated_at is not null and ended_at is not null;
create index games_over_by_board on games (board_hash, ended_at, id)
where public_at is not null and seated_at is not null and ended_at is not null;
create index games_over_by_outcome on games (outcome, ended_at, id)
where public_at is not null and seated_at is not null and ended_at is not null;

-- The words of the players' names in public games, with all differences of case folded.
create table player_words (
    word text not null,
    game_id text not null,
    side text not null,
    primary key (word, game_id, side),
    foreign key (game_id, side) references seats (game_id, side)
);

create index player_words_by_seat on player_words (game_id, side);

-- Free seats that anybody may take.
create table challenges (
    game_id text not null primary key references games (id),
    made_at bigint not null,
    ends_at bigint not null,
    closed_at bigint
);

create index challenges_open on challenges (ends_at, game_id) where closed_at is null;

-- Who does not want to be challenged by whom; it counts both ways.
create table blocks (
    person_id text not null references people (id),
    blocked_id text not null references people (id),
    made_at bigint not null,
    primary key (person_id, blocked_id)
);

create index blocks_by_blocked on blocks (blocked_id);

-- How many letters of invitation left from a seat and went to an address, of which only a hash is kept.
create table sent_invitations (
    id text not null primary key,
    game_id text not null,
    side text not null,
    address_hash text not null,
    sent_at bigint not null,
    foreign key (game_id, side) references seats (game_id, side)
);

create index sent_invitations_by_seat on sent_invitations (game_id, side, sent_at);
create index sent_invitations_by_address on sent_invitations (address_hash, sent_at);

-- What the players of a game write to each other, numbered from 1.
create table messages (
    game_id text not null references games (id),
    number bigint not null,
    side text not null,
    body text not null,
    sent_at bigint not null,
    primary key (game_id, number)
);

create index messages_by_seat on messages (game_id, side, sent_at);

-- The last message that a seat has read, and since when it wants none announced.
alter table seats add column read_message bigint;
alter table seats add column muted_at bigint;

-- Messages that a player has reported to the organiser, copied as they were then.
create table reports (
    id text not null primary key,
    game_id text not null,
    side text not null,
    reason text not null,
    thread text not null,
    made_at bigint not null,
    foreign key (game_id, side) references seats (game_id, side)
);

create index reports_by_seat on reports (game_id, side, made_at);
