-- Chat servers. Keys are 64 random characters, so a plain SHA-256 of one is enough.
create table remote_server (
  server_uuid uuid primary key,
  key_hash bytea not null,
  hostname text not null,
  contact_email text not null,
  deactivated boolean not null default false,
  version text,
  last_realm_count_id bigint not null default 0,
  last_installation_count_id bigint not null default 0,
  last_realmauditlog_id bigint not null default 0,
  created_at timestamptz not null default now()
);
create unique index remote_server_hostname on remote_server (lower(hostname)) where not deactivated;

-- Organizations, as their server announced them. can_push is the operator's decision.
create table remote_realm (
  realm_uuid uuid primary key,
  server_uuid uuid not null references remote_server,
  owner_secret_hash bytea not null,
  realm_id bigint not null,
  host text not null,
  url text not null,
  name text not null,
  deactivated boolean not null default false,
  can_push boolean not null default true,
  created_at timestamptz not null default now()
);
create index remote_realm_server on remote_realm (server_uuid);

-- registered_at: when the phone made its registration, UNIX milliseconds. expired_at: the provider
-- called the token dead; the row stays for a while so that it is not asked about it again.
create table device (
  device_id bigint generated always as identity primary key,
  realm_uuid uuid not null references remote_realm,
  push_account_id bigint not null,
  token_hash bytea not null,
  token text not null,
  token_kind text not null check (token_kind in ('apns', 'fcm')),
  ios_app_id text,
  registered_at bigint not null,
  expired_at timestamptz,
  quarantined_until timestamptz,
  unique (realm_uuid, push_account_id, token_hash),
  check ((token_kind = 'apns') = (ios_app_id is not null))
);
create index device_expired on device (expired_at) where expired_at is not null;
