-- Safe to run twice. Fails where the server doesn't have it; the cost is then not reported.
create extension if not exists pg_stat_statements
