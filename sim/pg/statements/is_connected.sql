-- is_connected: is the session still there? When it isn't, its locks aren't either.
-- Params: 1 its process int
-- Result: sessions (0 or 1). Locks: none. Twice: fresher.
select count(*) as sessions from pg_stat_get_activity($1::int)
