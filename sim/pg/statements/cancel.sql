-- cancel: ends the statement that a session is at.
-- Params: 1 its process int
-- Result: whether it was told. Locks: none. Twice: the same.
select pg_cancel_backend($1::int) as told
