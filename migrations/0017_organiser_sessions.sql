-- Browsers in which an organiser has signed in with a token. Of the cookie the hash is kept; a token that is revoked, or
-- whose time is over, shuts its browsers.
create table admin_sessions (
    hash text not null primary key,
    token_id text not null references admin_tokens (id),
    made_at bigint not null,
    used_at bigint not null
);

create index admin_sessions_by_use on admin_sessions (used_at);
