create table muted_user (
  realm_id bigint not null,
  user_id bigint not null,
  muted_user_id bigint not null,
  -- UNIX seconds.
  muted_at bigint not null,
  primary key (realm_id, user_id, muted_user_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade,
  foreign key (realm_id, muted_user_id) references realm_user on delete cascade
);
create index muted_user_muted on muted_user (realm_id, muted_user_id);
