-- end_session: ends a session that waits for a lock and so doesn't notice that its client has left.
-- Params: 1 its process int
-- Result: whether it was told. Locks: none. Twice: the same.
select pg_terminate_backend($1::int) as told
