create table job (
  id uuid primary key,
  name text not null,
  lane text not null,
  -- Jobs of one name with the same key share a limit of running attempts; '' has no limit.
  key text not null default '',
  -- Unique among the unfinished jobs of one name.
  dedupe text,
  payload jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'dead')),
  due_at timestamptz not null default now(),
  is_retry boolean not null default false,
  is_manual boolean not null default false,
  -- Counts every start. It is the fencing token: a worker with an older number writes nothing.
  attempt integer not null default 0,
  -- Counts the failed attempts of the retry schedule.
  failures integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  lease_until timestamptz,
  ended_at timestamptz,
  result jsonb,
  reason text
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

create index job_due on job (lane, is_retry, due_at, id) where state = 'queued';
create index job_by_key on job (lane, name, key, is_retry, due_at, id) where state = 'queued';
create index job_running on job (name, key) where state = 'running';
create index job_lease on job (lease_until) where state = 'running';
create unique index job_dedupe on job (name, dedupe)
  where dedupe is not null and state in ('queued', 'running');
create index job_ended on job (state, ended_at) where state in ('done', 'dead');

create table job_attempt (
  job_id uuid not null references job on delete cascade,
  number integer not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  is_manual boolean not null,
  outcome text not null check (outcome in ('done', 'retry', 'dead', 'lost', 'released')),
  error text,
  detail jsonb,
  primary key (job_id, number)
);
