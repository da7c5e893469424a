-- Custom emoji. Old messages and reactions refer to a deactivated one, so rows stay.
create table realm_emoji (
  realm_id bigint not null references realm on delete cascade,
  id bigint generated always as identity,
  name text not null,
  author_id bigint not null,
  is_active boolean not null default true,
  media_type text not null,
  bytes bytea not null,
  -- The first frame of an animation, as PNG; null if the image does not move.
  still_bytes bytea,
  primary key (realm_id, id),
  foreign key (realm_id, author_id) references realm_user
);
create unique index realm_emoji_name on realm_emoji (realm_id, name) where is_active;
create index realm_emoji_author on realm_emoji (realm_id, author_id);
-- Pictures are compressed already.
alter table realm_emoji alter column bytes set storage external;
alter table realm_emoji alter column still_bytes set storage external;
