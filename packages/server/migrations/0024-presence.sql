-- When users were last active and last connected, in UNIX seconds.
create table user_presence (
  realm_id bigint not null,
  user_id bigint not null,
  active_at bigint not null,
  connected_at bigint not null,
  -- The value of the realm's counter at the last change: clients ask for what changed after one.
  update_number bigint not null,
  primary key (realm_id, user_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index user_presence_update on user_presence (realm_id, update_number);

-- Its row stays locked until the commit, so that changes become visible in the order of their numbers.
create table presence_counter (
  realm_id bigint primary key references realm on delete cascade,
  last_number bigint not null
);
