-- Returns the nanoseconds that the server spent in this database's statements on campaign tables.
select coalesce(sum(s.total_exec_time) * 1000000, 0)::bigint
from pg_stat_statements as s
where s.dbid = (select oid from pg_database where datname = current_database())
  and s.query ~ 'campaign_'
  and s.query !~ 'pg_stat_'
