-- Returns how many other sessions of this database run a statement or hold a transaction open.
select count(*)
from pg_stat_activity
where datname = current_database()
  and pid <> pg_backend_pid()
  and backend_type = 'client backend'
  and state <> 'idle'
