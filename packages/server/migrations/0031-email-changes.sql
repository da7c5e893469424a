-- New e-mail addresses that their users have not confirmed yet: at most one of a user.
create table email_change (
  realm_id bigint not null,
  user_id bigint not null,
  -- The change holds only while this is still the address of the user.
  former_email text not null,
  new_email text not null,
  -- UNIX seconds.
  expires_at bigint not null,
  -- A keyed digest of the secret in the mail.
  token_mac bytea not null,
  primary key (realm_id, user_id),
  unique (realm_id, token_mac),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
