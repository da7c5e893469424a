-- The uploaded avatars as PNG squares of two sizes.
create table avatar (
  realm_id bigint not null,
  user_id bigint not null,
  -- The avatar_version of the user to which this picture belongs.
  version integer not null,
  -- 100 pixels wide.
  small bytea not null,
  -- 500 pixels wide.
  medium bytea not null,
  primary key (realm_id, user_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
-- Pictures are compressed already.
alter table avatar alter column small set storage external;
alter table avatar alter column medium set storage external;
