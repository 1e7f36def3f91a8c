-- Returns the names of run databases whose run is dead: nobody is connected and nobody holds the name (claim_name.sql; it is
-- taken before the database is made). Both, because advisory locks are seen from the same maintenance database only.
select d.datname
from pg_database as d
where d.datname like 'sendproof\_run\_%'
  and not exists (select from pg_stat_activity as a where a.datname = d.datname)
  and pg_try_advisory_lock(hashtextextended(d.datname, 0))
