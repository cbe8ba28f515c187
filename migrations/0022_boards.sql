-- Boards that the organiser offers beside those that come with the server. A board that is retired is offered for no new game;
-- games on it go on, since each game keeps its board by the hash of its text.
create table offered_boards (
    -- By this name it is chosen. It stays that board's for ever.
    alias text not null primary key,
    name text not null,
    about text not null,
    board_hash text not null references boards (hash),
    offered_at bigint not null,
    retired_at bigint
);

create unique index offered_boards_by_hash on offered_boards (board_hash);
