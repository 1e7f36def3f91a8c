-- $1 process id of a harness. Ends every session in the databases of its run; returns how many.
select count(*)
from pg_stat_activity
where datname like 'sendproof\_run\_' || $1::text || '\_%' and pg_terminate_backend(pid)
