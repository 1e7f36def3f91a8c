-- Forgets what the statements of this database cost so far. Fails where pg_stat_statements isn't loaded.
select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()), 0)
