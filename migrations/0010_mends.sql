-- What is kept for as long as it is needed: an address stands on a letter to it until the letter has left or was given up.

update outbox set address = null where sent_at is not null or failed_at is not null;

create index outbox_bare on outbox (address) where address is not null;
create index mailed_links_by_end on mailed_links (ends_at);
create index reports_by_time on reports (made_at);

-- One letter a day: a digest of a person, named by person and day, and the letters that leave with it and not by themselves.
alter table outbox add column person_id text;
alter table outbox add column folded_into text;

create unique index outbox_digests on outbox (about) where kind = 'digest';
create index outbox_folded on outbox (folded_into) where folded_into is not null;
create index outbox_by_person on outbox (person_id) where person_id is not null;

-- Each process keeps a file of its own of all who had themselves removed, and knows by itself what that has.
alter table erasures drop column written_at;
