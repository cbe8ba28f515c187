-- After what time without a sign a process wants to be missed, in milliseconds: it gives signs often enough for that.
alter table processes add column missed_after bigint not null default 20000;
