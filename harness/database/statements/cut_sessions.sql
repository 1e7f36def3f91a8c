-- $1 process id of a harness. Ends every session in the databases of its run; returns how many.
--
-- Materialized: as a condition beside the name's, pg_terminate_backend() would be asked first, of every session there is.
with own as materialized (
  select pid
  from pg_stat_activity
  where datname like 'sendproof\_run\_' || $1::text || '\_%'
)
select count(*) filter (where pg_terminate_backend(pid)) from own
