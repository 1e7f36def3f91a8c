-- tell_time: what campaign_clock() says in this session from now on.
-- Params: 1 time in microseconds since 1970 text
-- Result: the same. Locks: none. Twice: the same. Undone by a rollback: said again before the next statement.
select set_config('campaign_clock.us', $1::text, false)
