-- The desk lists the blocks in force with who set each and why, which the log knows by the block's id.
create index admin_acts_of_blocks on admin_acts (about) where act = 'blocked';

-- The process that has claimed a webhook. As with letters, what a process has claimed that is not there any more is free.
alter table webhooks add column claimed_by text;
