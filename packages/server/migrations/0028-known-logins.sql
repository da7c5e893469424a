-- The devices with which users have logged in by password.
create table known_login (
  realm_id bigint not null,
  user_id bigint not null,
  -- A keyed digest of the program's name and the network address.
  device bytea not null,
  -- UNIX seconds.
  used_at bigint not null,
  primary key (realm_id, user_id, device),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
