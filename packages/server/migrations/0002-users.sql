-- was e3447ca18de58b9911e01213655cef8302de2c6933c87c17585d5332a448a6ad
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
  -- Whether a bot may post where its owner may. False after a former owner gave it away, until the new
  -- owner confirms.
  acts_for_owner boolean not null default true,
  is_system_bot boolean not null default false,
  -- Permissions that no role has. The first owner of a realm has both.
  can_create_users boolean not null default false,
  can_change_user_emails boolean not null default false,
  password_hash text,
  -- A keyed digest, by which the key is looked up, and the encrypted key, which the owner may fetch.
  api_key_mac bytea not null,
  api_key_sealed bytea not null,
  timezone text not null default '',
  -- G: computed by Gravatar from the e-mail address; U: the row of the user in avatar.
  avatar_source text not null default 'G' check (avatar_source in ('G', 'U')),
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
