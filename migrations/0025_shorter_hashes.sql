-- From now on the salts and hashes of turns that are resolved are kept in base 64, where they were kept in hexadecimal digits.
-- Those that are there stay as they are: a program tells them apart by their length. An older one would not, which this stands
-- here for: no program starts on a database with a migration that it does not know.
select 1;
