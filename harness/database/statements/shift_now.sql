-- Lets a sender that knows nothing of campaign_clock() live in a shifted time: an unqualified now() finds this one
-- first, in the sessions that open after it. CURRENT_TIMESTAMP and clock_timestamp() can't be shadowed.
create schema shifted;
create sequence shifted.campaign_clock_skipped minvalue -9000000000000000 start 1;
create function shifted."now"() returns timestamptz language sql stable parallel safe as
$$ select pg_catalog."now"() + (select last_value - 1 from shifted.campaign_clock_skipped) * interval '1 microsecond' $$;
create function shifted.campaign_clock() returns timestamptz language sql stable parallel safe as
$$ select shifted."now"() $$;
do $$
begin
  execute format('alter database %I set search_path = shifted, pg_catalog, public', current_database());
end
$$
