-- Mail that comes in. Of a mail are kept the hash of its Message-ID, the seat, what became of it, and when: never whom it
-- was for or what it says.

create table mail_seen (
    message_hash text not null,
    game_id text not null,
    side text not null,
    verdict text not null,
    seen_at bigint not null,
    primary key (game_id, side, message_hash),
    foreign key (game_id, side) references seats (game_id, side)
);

create index mail_seen_by_time on mail_seen (game_id, side, seen_at);

-- What a seat has been asked by letter and answers by YES, until the turn is over. As guarded as a draft.
create table mail_questions (
    game_id text not null,
    side text not null,
    turn bigint not null,
    body text not null,
    asked_at bigint not null,
    primary key (game_id, side),
    foreign key (game_id, side) references seats (game_id, side)
);

-- What an answer that waits in the outbox says. As guarded as a sealed sheet, and erased when the letter has left.
create table mail_answers (
    game_id text not null,
    side text not null,
    number bigint not null,
    -- The Message-ID of the mail that is answered.
    answers text,
    body text not null,
    primary key (game_id, side, number),
    foreign key (game_id, side) references seats (game_id, side)
);

-- Addresses from which a seat is written for besides its own: asked about, and allowed by the link that went to its own.
create table mail_senders (
    link_id text not null primary key,
    game_id text not null,
    side text not null,
    generation bigint not null,
    address_key text not null,
    allowed_at bigint,
    foreign key (game_id, side) references seats (game_id, side)
);

create unique index mail_senders_once on mail_senders (game_id, side, generation, address_key);
