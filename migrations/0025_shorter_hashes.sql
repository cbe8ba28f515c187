-- From now on the salts and hashes of turns that are resolved are kept in base 64, where they were kept in hexadecimal digits.
-- Those that are there stay as they are: a program tells them apart by their length. An older one that still runs beside a new
-- one would not, and would make its running hash of what it takes for the one before. So the column has another name: every
-- statement of an older program about resolved turns fails, until that program is replaced.
alter table turns rename column chain to running_hash;
