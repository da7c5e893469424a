-- Browsers that are signed in to the console.
create table console_session (
  realm_id bigint not null references realm on delete cascade,
  id bigint generated always as identity,
  -- SHA-256 of the key that the page sends, and of the cookie.
  key_hash bytea not null,
  cookie_hash bytea not null,
  -- UNIX seconds.
  expires_at bigint not null,
  primary key (realm_id, id),
  unique (realm_id, key_hash)
);

create table console_account (
  realm_id bigint not null,
  session_id bigint not null,
  user_id bigint not null,
  -- Of the API key at the sign-in: a new API key signs the account out.
  api_key_mac bytea not null,
  signed_in_at bigint not null,
  primary key (realm_id, session_id, user_id),
  foreign key (realm_id, session_id) references console_session on delete cascade,
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index console_account_user on console_account (realm_id, user_id);

-- Keys of links that sign in once.
create table console_sign_in_key (
  realm_id bigint not null,
  key_hash bytea not null,
  user_id bigint not null,
  expires_at bigint not null,
  primary key (realm_id, key_hash, user_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index console_sign_in_key_user on console_sign_in_key (realm_id, user_id);
