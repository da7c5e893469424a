-- Invitations that nobody has accepted yet.
create table invite (
  realm_id bigint not null,
  id bigint generated always as identity,
  -- Null for a reusable link.
  email text,
  -- The reusable link with which the owner of the address asked for this invitation.
  link_id bigint,
  invited_by bigint not null,
  invited_as smallint not null,
  channel_ids bigint[] not null,
  group_ids bigint[] not null,
  include_default_channels boolean not null,
  notify_referrer boolean not null,
  -- Null: the text of the realm.
  welcome_text text,
  -- UNIX seconds. An invitation without an end does not expire.
  invited_at bigint not null,
  expires_at bigint,
  -- A keyed digest of the secret in the address, by which the invitation is looked up: how long that
  -- takes says nothing about the secret.
  token_mac bytea not null,
  -- The secret of a reusable link, encrypted: those who list their links see it again.
  token_sealed bytea,
  primary key (realm_id, id),
  unique (realm_id, token_mac),
  foreign key (realm_id, invited_by) references realm_user on delete cascade,
  foreign key (realm_id, link_id) references invite on delete cascade
);
create index invite_invited_by on invite (realm_id, invited_by);
create index invite_email on invite (realm_id, lower(email)) where email is not null;
create index invite_link on invite (realm_id, link_id) where link_id is not null;

-- How many mails somebody caused or got on a day, against limits.
create table mail_count (
  realm_id bigint not null references realm on delete cascade,
  -- Days since 1970, UTC.
  day integer not null,
  -- What is counted and for whom: `invites of 17`, `mails to <digest of the address>`.
  subject text not null,
  count integer not null,
  primary key (realm_id, day, subject)
);
