-- People: an address counts once somebody has followed a link that was mailed to it. Letters may go to an address
-- without a seat, and about other things than turns.

create table people (
    id text not null primary key,
    -- As it was typed, for sending.
    address text not null,
    -- The same with all differences of case folded, for finding.
    address_key text not null,
    name text,
    -- What this person wants, JSON; nothing for the usual.
    settings text,
    created_at bigint not null
);

create unique index people_by_address on people (address_key);

-- From here on `seats.address` is an address that nobody has confirmed yet.
alter table seats add column person_id text references people (id);

create index seats_by_person on seats (person_id);

-- Addresses that got letters before go on getting them.
insert into people (id, address, address_key, created_at)
select min(game_id || '.' || side), address, address, min(coalesce(taken_at, 0))
from seats where address is not null group by address;

update seats set person_id = (select people.id from people where people.address_key = seats.address)
where address is not null;

update seats set address = null where person_id is not null;

-- Links that go by mail alone: whoever follows one has proven the address.
create table mailed_links (
    id text not null primary key,
    hash text not null,
    purpose text not null,
    address text not null,
    address_key text not null,
    game_id text,
    side text,
    person_id text references people (id),
    made_at bigint not null,
    ends_at bigint not null,
    used_at bigint,
    foreign key (game_id, side) references seats (game_id, side)
);

create unique index mailed_links_by_hash on mailed_links (hash);
create index mailed_links_by_address on mailed_links (address_key, made_at);

-- The same letters, of which some go to a bare address and some are about something that has a number of its own.
create table letters (
    id text not null primary key,
    kind text not null,
    game_id text,
    turn bigint,
    side text,
    address text,
    about text,
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

insert into letters (id, kind, game_id, turn, side, revision, created_at, due_at, attempts, claimed_until, sent_at, failed_at, last_error)
select id, kind, game_id, turn, side, revision, created_at, due_at, attempts, claimed_until, sent_at, failed_at, last_error
from outbox;

drop table outbox;

alter table letters rename to outbox;

-- Letters to a bare address have no game here and are not held to it.
create unique index outbox_once on outbox (game_id, turn, side, kind, revision);
create index outbox_due on outbox (due_at) where sent_at is null and failed_at is null;
