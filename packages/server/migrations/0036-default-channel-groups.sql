-- Channels that new users may choose together when they join.
create table default_channel_group (
  realm_id bigint not null references realm on delete cascade,
  id bigint generated always as identity,
  name text not null,
  description text not null,
  primary key (realm_id, id),
  unique (realm_id, name)
);

create table default_channel_group_channel (
  realm_id bigint not null,
  group_id bigint not null,
  channel_id bigint not null,
  primary key (realm_id, group_id, channel_id),
  foreign key (realm_id, group_id) references default_channel_group on delete cascade,
  foreign key (realm_id, channel_id) references channel on delete cascade
);
create index default_channel_group_channel_channel
  on default_channel_group_channel (realm_id, channel_id);
