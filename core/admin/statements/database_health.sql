-- database_health: what slows claims and records down: the oldest snapshot holds back vacuum.
-- Params: none
-- Result: oldest_snapshot_s (of sessions that we may see; null: none), oldest_pid, dead_rows, live_rows, table_bytes,
--         last_vacuum_us (null: never)
-- Locks:  none. Twice: the same.
select extract(epoch from self.xact_start - oldest.xact_start)::bigint as oldest_snapshot_s, oldest.pid as oldest_pid,
       t.n_dead_tup as dead_rows, t.n_live_tup as live_rows,
       pg_total_relation_size('campaign_targets') as table_bytes,
       (extract(epoch from greatest(t.last_vacuum, t.last_autovacuum)) * 1000000)::bigint as last_vacuum_us
  from (select xact_start from pg_stat_activity where pid = pg_backend_pid()) self
  left join lateral (
    select xact_start, pid from pg_stat_activity
     where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
       and (backend_xmin is not null or backend_xid is not null)
     order by xact_start limit 1) oldest on true
  left join pg_stat_user_tables t on t.relid = 'campaign_targets'::regclass
