-- Games that cannot stall: what each was opened with for its clock, second thoughts, absences and pauses, reminders,
-- deployments that outlive a void game.

-- What the game was opened with for its clock, JSON; absent where all is as usual.
alter table games add column settings text;
-- Until when both may still replace what they have sealed; then the turn is resolved.
alter table games add column settle_at bigint;
-- When the last turn was resolved, or the last seat taken.
alter table games add column moved_at bigint;
-- When somebody may have to be reminded.
alter table games add column remind_at bigint;
-- Until when nothing is due; and who offers that until when.
alter table games add column paused_until bigint;
alter table games add column pause_by text;
alter table games add column pause_until bigint;
-- When the awaited turn was due before an outage put it off.
alter table games add column put_off_from bigint;

update games set moved_at = coalesce((select max(turns.resolved_at) from turns where turns.game_id = games.id), opened_at);

create index games_settle on games (settle_at) where settle_at is not null;
create index games_remind on games (remind_at) where remind_at is not null;

-- Since when the writer wants a draft not to be used when its turn is due.
alter table drafts add column withheld_at bigint;
-- When a sealed sheet was marked as final.
alter table sheets add column final_at bigint;

-- The turn by which a seat had missed as many as the game allows; none while it plays.
alter table seats add column absent_since bigint;

create table absences (
    game_id text not null,
    side text not null,
    from_at bigint not null,
    until_at bigint not null,
    announced_at bigint not null,
    primary key (game_id, side, from_at),
    foreign key (game_id, side) references seats (game_id, side)
);

-- A deployment of a game that became void, for its writer's next one.
create table kept_sheets (
    game_id text not null,
    side text not null,
    body text not null,
    kept_at bigint not null,
    primary key (game_id, side),
    foreign key (game_id, side) references seats (game_id, side)
);
