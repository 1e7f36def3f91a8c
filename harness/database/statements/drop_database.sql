-- $1 name. Returns the statement; FORCE ends the sessions of killed senders. Safe to run twice.
select format('drop database if exists %I with (force)', $1::text)
