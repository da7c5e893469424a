-- The icon and the logos of realms.
create table realm_image (
  realm_id bigint not null references realm on delete cascade,
  -- icon, logo or night_logo.
  kind text not null,
  -- Counts the changes, so that each image has a URL of its own.
  version integer not null,
  -- A PNG image; null after its removal.
  bytes bytea,
  primary key (realm_id, kind)
);
-- Pictures are compressed already.
alter table realm_image alter column bytes set storage external;
