-- wear: what the members' table has come to, and how much write-ahead log there is.
-- Params: none
-- Result: wal_bytes (since the server was made), table_bytes, index_bytes, dead_rows, updates, hot_updates
-- Locks:  none. The counters of another session's last second may be missing.
select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as wal_bytes,
       pg_table_size('campaign_targets') as table_bytes, pg_indexes_size('campaign_targets') as index_bytes,
       coalesce(n_dead_tup, 0) as dead_rows, coalesce(n_tup_upd, 0) as updates, coalesce(n_tup_hot_upd, 0) as hot_updates
  from (select) one
  left join pg_stat_user_tables on relid = 'campaign_targets'::regclass
