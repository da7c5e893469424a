create table channel_folder (
  realm_id bigint not null references realm on delete cascade,
  id bigint generated always as identity,
  name text not null,
  description text not null default '',
  rendered_description text not null default '',
  creator_id bigint,
  date_created timestamptz not null default now(),
  is_archived boolean not null default false,
  -- The order in which clients list the folders.
  position integer not null,
  primary key (realm_id, id),
  foreign key (realm_id, creator_id) references realm_user
);
create unique index channel_folder_name on channel_folder (realm_id, lower(name));
alter table channel add foreign key (realm_id, folder_id) references channel_folder;
create index channel_folder_channels on channel (realm_id, folder_id) where folder_id is not null;
