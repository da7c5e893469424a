create table realm_user (
  realm_id bigint not null references realm on delete cascade,
  id bigint generated always as identity,
  delivery_email text not null,
  full_name text not null,
  role smallint not null default 400,
  is_active boolean not null default true,
  is_bot boolean not null default false,
  bot_type smallint,
  bot_owner_id bigint,
  is_system_bot boolean not null default false,
  password_hash text,
  -- A keyed digest, by which the key is looked up, and the encrypted key, which the owner may fetch.
  api_key_mac bytea not null,
  api_key_sealed bytea not null,
  timezone text not null default '',
  avatar_version integer not null default 1,
  settings jsonb not null default '{}',
  date_joined timestamptz not null default now(),
  primary key (realm_id, id),
  unique (realm_id, api_key_mac),
  foreign key (realm_id, bot_owner_id) references realm_user,
  check (is_bot = (bot_type is not null))
);
create unique index realm_user_email on realm_user (realm_id, lower(delivery_email));
create index realm_user_owner on realm_user (realm_id, bot_owner_id)
  where bot_owner_id is not null;
