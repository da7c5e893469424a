-- was 1e4967f6ec0ebb6b1e19778320a2fbf042ab697b0e5df24d306cc4cefd2f4070
-- A group without a name is anonymous: it is the value of one permission setting.
-- The members of a system group are the users whose role number is at most role_limit.
create table user_group (
  realm_id bigint not null references realm on delete cascade,
  id bigint generated always as identity,
  name text,
  description text not null default '',
  is_system_group boolean not null default false,
  role_limit integer,
  full_members_only boolean not null default false,
  deactivated boolean not null default false,
  creator_id bigint,
  date_created timestamptz,
  can_add_members_group bigint,
  can_join_group bigint,
  can_leave_group bigint,
  can_manage_group bigint,
  can_mention_group bigint,
  can_remove_members_group bigint,
  primary key (realm_id, id),
  foreign key (realm_id, creator_id) references realm_user,
  foreign key (realm_id, can_add_members_group) references user_group,
  foreign key (realm_id, can_join_group) references user_group,
  foreign key (realm_id, can_leave_group) references user_group,
  foreign key (realm_id, can_manage_group) references user_group,
  foreign key (realm_id, can_mention_group) references user_group,
  foreign key (realm_id, can_remove_members_group) references user_group
);
create unique index user_group_name on user_group (realm_id, lower(name)) where name is not null;

create table user_group_member (
  realm_id bigint not null,
  group_id bigint not null,
  user_id bigint not null,
  primary key (realm_id, group_id, user_id),
  foreign key (realm_id, group_id) references user_group on delete cascade,
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index user_group_member_user on user_group_member (realm_id, user_id);

create table user_group_subgroup (
  realm_id bigint not null,
  group_id bigint not null,
  subgroup_id bigint not null,
  primary key (realm_id, group_id, subgroup_id),
  foreign key (realm_id, group_id) references user_group on delete cascade,
  foreign key (realm_id, subgroup_id) references user_group on delete cascade
);
create index user_group_subgroup_subgroup on user_group_subgroup (realm_id, subgroup_id);
