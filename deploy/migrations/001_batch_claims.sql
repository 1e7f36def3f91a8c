-- Brings campaign_targets, plain or with the row claims of the previous generation, to batch claims.
--
-- psql -v ON_ERROR_STOP=1 -f 001_batch_claims.sql: each statement by itself, no surrounding transaction, and none after
-- one that failed. Before the audience is loaded if possible: fillfactor only reaches pages written afterwards. Safe to
-- run again at any time, also after an interrupted run. No statement locks the table of campaign_targets for longer than
-- it takes to note a column; each gives up after lock_timeout behind a long reader and can simply be run again. The
-- updates lock the rows of members who were mailed before states existed.
-- Row-claim senders do not see batch claims: stop them first. The second statement refuses while one is alive.
set lock_timeout = '2s';

do $$
declare live bigint;
begin
  if exists (select from information_schema.columns where table_schema = current_schema()
             and table_name = 'campaign_targets' and column_name = 'claim_id') then
    execute 'select count(*) from campaign_targets where state = ''sending'' and lease_until > now()' into live;
    if live > 0 then
      raise exception 'campaign_targets: % rows are leased by a row-claim sender; suspend it and wait for its leases to end', live;
    end if;
  end if;
end $$;

-- The only clock of all statements. Inlined by the planner; test databases replace its body.
do $$
begin
  if to_regprocedure('campaign_clock()') is null then
    create function campaign_clock() returns timestamptz language sql stable parallel safe as 'select now()';
  end if;
end $$;

alter table campaign_targets
  add column if not exists opted_out_at timestamptz,
  add column if not exists priority int not null default 0,
  add column if not exists state text not null default 'pending',
  add column if not exists reason text,
  add column if not exists attempts int not null default 0,
  add column if not exists not_before timestamptz,
  add column if not exists maybe_sent_since timestamptz,
  add column if not exists retry_token uuid,
  add column if not exists retry_lease_until timestamptz,
  add column if not exists expired_claims int not null default 0;

-- Record changes no indexed column, so with room on the page every update is HOT (5.5 us a member against 51).
alter table campaign_targets set (fillfactor = 45, autovacuum_vacuum_scale_factor = 0.05);

drop index concurrently if exists ix_targets_work;

-- Earlier checks on the column state know "sending" and not "unknown": they go before the rows change.
do $$
declare old record;
begin
  for old in select conname from pg_constraint
             where conrelid = 'campaign_targets'::regclass and contype = 'c'
               and conname not like 'campaign_targets_ck_%'
               and (select attnum from pg_attribute
                     where attrelid = conrelid and attname = 'state' and not attisdropped) = any (conkey) loop
    execute format('alter table campaign_targets drop constraint %I', old.conname);
  end loop;
end $$;

-- Whoever was mailed before states existed stays mailed.
update campaign_targets set state = 'sent', not_before = null where sent_at is not null and state <> 'sent';

-- A row-claim sender died on these: they may have been sent, so they go to the retry pool with their doubt and its age,
-- which decides whether the provider still knows their keys. Those leases last 90 s. Without one the age is unknown, and
-- they will be put aside as unknown. Rows under a live lease stay as they are, and the check on state below fails.
do $$
declare leased_at text := 'null::timestamptz'; lease_over text := 'true';
begin
  if exists (select from pg_attribute where attrelid = 'campaign_targets'::regclass and attname = 'lease_until'
              and not attisdropped) then
    leased_at := 'lease_until - interval ''90 s''';
    lease_over := '(lease_until is null or lease_until <= now())';
  end if;
  execute format(
    'update campaign_targets set state = ''pending'', not_before = campaign_clock(),'
    ' maybe_sent_since = coalesce(maybe_sent_since, %s, timestamptz ''epoch'') where state = ''sending'' and %s',
    leased_at, lease_over);
end $$;

update campaign_targets set not_before = null where state = 'failed' and not_before is not null;

-- The life of a row, as the database enforces it (ARCHITECTURE.md draws it). Added without looking at the rows,
-- then validated under a lock that lets writers through.
alter table campaign_targets
  drop constraint if exists campaign_targets_ck_state,
  drop constraint if exists campaign_targets_ck_sent,
  drop constraint if exists campaign_targets_ck_ended,
  drop constraint if exists campaign_targets_ck_unknown,
  add constraint campaign_targets_ck_state
    check (state in ('pending', 'sent', 'failed', 'unknown', 'skipped')) not valid,
  add constraint campaign_targets_ck_sent check ((state = 'sent') = (sent_at is not null)) not valid,
  add constraint campaign_targets_ck_ended
    check (state = 'pending' or (not_before is null and retry_token is null)) not valid,
  add constraint campaign_targets_ck_unknown check (state <> 'unknown' or maybe_sent_since is not null) not valid;
alter table campaign_targets validate constraint campaign_targets_ck_state;
alter table campaign_targets validate constraint campaign_targets_ck_sent;
alter table campaign_targets validate constraint campaign_targets_ck_ended;
alter table campaign_targets validate constraint campaign_targets_ck_unknown;

-- An index build that was interrupted leaves an INVALID index behind: drop it, the next statement builds it again.
do $$
begin
  if exists (select from pg_index where indexrelid = to_regclass('ix_targets_retry') and not indisvalid) then
    drop index ix_targets_retry;
  end if;
end $$;

-- The retry pool, and nothing else: members whose not_before is set.
create index concurrently if not exists ix_targets_retry
  on campaign_targets (campaign_id, not_before) where not_before is not null;

-- One row a campaign. plan_version moves with every planning, and fences it and the sweep (see plan.sql).
create table if not exists campaigns (
  campaign_id text primary key,
  template text not null,
  plan_version int not null default 0,
  paused boolean not null default false,
  created_at timestamptz not null default campaign_clock()
);

-- Ranges of members, first and last included (2^63 - 1 is a member id too). The claim of all of them at once.
create table if not exists campaign_batches (
  campaign_id text not null references campaigns,
  batch_id bigint not null,
  priority int not null,
  first_member bigint not null,
  last_member bigint not null check (last_member >= first_member),
  state text not null default 'open' check (state in ('open', 'leased', 'done')),
  token uuid,
  lease_until timestamptz,
  expired_claims int not null default 0,
  maybe_sent_since timestamptz,
  primary key (campaign_id, batch_id),
  check ((state = 'leased') = (lease_until is not null)),
  check (state <> 'leased' or (token is not null and maybe_sent_since is not null))
) with (fillfactor = 50);
-- The order of claims. Not the primary key's columns: a plan made while most batches are open would take that one, and
-- read all the batches that are done before each claim from then on.
create index if not exists ix_batches_undone on campaign_batches (campaign_id, priority, first_member)
  where state <> 'done';

-- One row a provider, shared by all workers: the next free slot (GCRA's theoretical arrival time) and a pause.
create table if not exists provider_rate (
  provider text primary key,
  interval_us bigint not null check (interval_us >= 0),
  tat timestamptz not null default '-infinity',
  paused_until timestamptz not null default '-infinity'
) with (fillfactor = 10);

-- The payload of an idempotency key is frozen: from planning on, an open member keeps its address.
create or replace function campaign_targets_freeze_email() returns trigger language plpgsql as $$
begin
  if new.email is distinct from old.email and old.state = 'pending'
     and exists (select from campaigns where campaign_id = old.campaign_id and plan_version > 0) then
    raise exception 'campaign % is planned: member % keeps its address until it is sent or failed',
      old.campaign_id, old.member_id;
  end if;
  return new;
end $$;
-- After, not before: a row trigger before update, though it is not for these columns, makes each record lock each row
-- first, and log the lock (162 bytes of WAL a member against 106).
create or replace trigger campaign_targets_freeze_email after update of email on campaign_targets
  for each row execute function campaign_targets_freeze_email();

-- What a query for "in flight" read from state 'sending', claim_id and lease_until before.
create or replace view campaign_in_flight as
  select t.campaign_id, t.member_id, b.token as claim_id, b.lease_until
    from campaign_batches b
    join campaign_targets t on t.campaign_id = b.campaign_id and t.priority = b.priority
         and t.member_id between b.first_member and b.last_member and t.state = 'pending' and t.not_before is null
   where b.state = 'leased'
  union all
  select campaign_id, member_id, retry_token, retry_lease_until
    from campaign_targets where not_before is not null and retry_token is not null;
