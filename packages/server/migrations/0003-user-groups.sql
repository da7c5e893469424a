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

-- Whether the waiting period of a member is over, to the moment. Higher roles have none.
create function is_past_waiting_period(u realm_user, r realm) returns boolean
language sql stable as $$
  select u.role < 400 or u.date_joined <= now() - r.waiting_period_days * interval '1 day'
$$;

-- Whether a user belongs to a system group by role.
create function group_includes_role(g user_group, u realm_user, r realm) returns boolean
language sql stable as $$
  select g.role_limit >= u.role and (not g.full_members_only or is_past_waiting_period(u, r))
$$;

-- Whether a user belongs to a group: as a direct member, by role, or through a subgroup.
-- Deactivated users belong to none.
create function group_has_user(realm bigint, target bigint, member bigint) returns boolean
language sql stable as $$
  with recursive nested (id) as (
    select target
    union
    select s.subgroup_id from user_group_subgroup s
    join nested n on s.group_id = n.id
    where s.realm_id = realm
  )
  select exists (
    select from nested n
    join user_group g on g.realm_id = realm and g.id = n.id
    join realm_user u on u.realm_id = realm and u.id = member
    join realm r on r.id = realm
    where u.is_active and group_includes_role(g, u, r)
  ) or exists (
    select from nested n
    join user_group_member m on m.realm_id = realm and m.group_id = n.id and m.user_id = member
    join realm_user u on u.realm_id = realm and u.id = member
    where u.is_active
  )
$$;

-- Every group that contains a user: as a direct member, by role, or through a subgroup. For active
-- users these are the groups for which group_has_user is true.
create function groups_of(realm bigint, member bigint) returns setof bigint
language sql stable as $$
  with recursive belongs (id) as (
    (
      select m.group_id from user_group_member m where m.realm_id = realm and m.user_id = member
      union
      select g.id from user_group g
      join realm_user u on u.realm_id = realm and u.id = member
      join realm r on r.id = realm
      where g.realm_id = realm and group_includes_role(g, u, r)
    )
    union
    select s.group_id from user_group_subgroup s
    join belongs b on s.subgroup_id = b.id
    where s.realm_id = realm
  )
  select id from belongs
$$;
