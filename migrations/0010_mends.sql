-- What is kept for as long as it is needed: an address stands on a letter to it until the letter has left or was given up.

update outbox set address = null where sent_at is not null or failed_at is not null;

create index outbox_bare on outbox (address) where address is not null;
create index mailed_links_by_end on mailed_links (ends_at);
create index reports_by_time on reports (made_at);
