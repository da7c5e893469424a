-- Links with which people who do not know their password choose a new one: at most one of a user.
create table password_reset (
  realm_id bigint not null,
  user_id bigint not null,
  -- The link holds only while this is the address of the user.
  email text not null,
  -- UNIX seconds.
  expires_at bigint not null,
  -- A keyed digest of the secret in the link.
  token_mac bytea not null,
  primary key (realm_id, user_id),
  unique (realm_id, token_mac),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
