-- The uploaded avatars, as the client sent them.
create table avatar (
  realm_id bigint not null,
  user_id bigint not null,
  -- The avatar_version of the user to which this picture belongs.
  version integer not null,
  media_type text not null,
  bytes bytea not null,
  primary key (realm_id, user_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
-- Pictures are compressed already.
alter table avatar alter column bytes set storage external;
