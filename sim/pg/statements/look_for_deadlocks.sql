-- look_for_deadlocks: how long a lock wait of this session lasts before it looks for a deadlock.
-- Params: 1 deadlock_timeout text
-- Result: the same. Locks: none. Twice: the same. Undone by a rollback.
select set_config('deadlock_timeout', $1::text, false)
