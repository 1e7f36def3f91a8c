-- is_blocked: does the session wait for a lock that one of the others holds?
-- Params: 1 its process int, 2 theirs int[]
-- Result: blocked. Locks: none. Twice: fresher.
select pg_isolation_test_session_is_blocked($1::int, $2::int[]) as blocked
