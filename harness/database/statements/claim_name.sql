-- $1 database name. Held as long as the session lives: it tells the databases of live runs from abandoned ones.
select pg_advisory_lock(hashtextextended($1::text, 0))
