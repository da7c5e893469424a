-- Permissions to register once: for whoever has the token, or for one server without a token.
create table invitation (
  invitation_number bigint primary key generated always as identity,
  token_hash bytea unique,
  server_uuid uuid unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by uuid,
  check ((token_hash is null) <> (server_uuid is null))
);

-- Chat servers that the operator refuses, by UUID or by host name. subject is as the operator wrote it,
-- in lower case; host_like is the pattern of a host name for LIKE, null for a UUID.
create table ban (
  subject text primary key,
  host_like text,
  reason text not null,
  created_at timestamptz not null
);

-- Who changed what. actor: 'server', or 'operator' with the name of the operator's account. The entries
-- outlive what they are about.
create table audit_entry (
  number bigint primary key generated always as identity,
  at timestamptz not null,
  actor text not null,
  action text not null,
  server_uuid uuid,
  realm_uuid uuid,
  device_id bigint,
  detail jsonb not null
);
create index audit_entry_server on audit_entry (server_uuid, number);
create index audit_entry_at on audit_entry (at);
