-- What became of notifications, for the chat server that sent them. number is given when the server
-- reads its log, so that no row gets a number below one that was read before.
create table push_outcome (
  realm_uuid uuid not null references remote_realm,
  push_id uuid not null,
  server_uuid uuid not null references remote_server,
  number bigint,
  device_id bigint,
  provider text,
  outcome text not null,
  reason text,
  provider_id text,
  at timestamptz not null,
  primary key (realm_uuid, push_id)
);
create index push_outcome_number on push_outcome (server_uuid, number);
create index push_outcome_at on push_outcome (at);

-- Requests with an Idempotency-Key. item_hashes: a hash for each item. outcomes: as many, in the same
-- order; null while the request runs.
create table push_request (
  realm_uuid uuid not null references remote_realm,
  idempotency_key text not null,
  item_hashes text[] not null,
  started_at timestamptz not null,
  outcomes jsonb,
  primary key (realm_uuid, idempotency_key)
);
create index push_request_started on push_request (started_at);
