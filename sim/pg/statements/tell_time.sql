-- tell_time: what campaign_clock() says in this session from now on, and how long a lock wait lasts before it looks for a
-- deadlock.
-- Params: 1 time in microseconds since 1970 text, 2 deadlock_timeout text
-- Result: both. Locks: none. Twice: the same. Undone by a rollback: said again before each statement.
select set_config('campaign_clock.us', $1::text, false), set_config('deadlock_timeout', $2::text, false)
