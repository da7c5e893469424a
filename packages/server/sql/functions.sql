-- The functions of the database. This file runs behind the last migration, and again whenever it has
-- changed (docs/decisions/0100): a migration calls none of them. A function whose parameters or result
-- change is dropped by name before it is created. One that a column needs (searchable) stays where the
-- column is made.

-- The user whose channels a bot may post in as well: its owner, if active.
create or replace function acting_owner(u realm_user) returns bigint language sql stable as $$
  select o.id from realm_user o
  where u.acts_for_owner and o.realm_id = u.realm_id and o.id = u.bot_owner_id and o.is_active
$$;

-- Whether the waiting period of a member is over, to the moment. Higher roles have none. now() is when a
-- transaction began: one that began before a user joined and waited for their creation would see them as
-- no full member, in realms without a waiting period too.
create or replace function is_past_waiting_period(u realm_user, r realm) returns boolean
language sql stable as $$
  select u.role < 400 or r.waiting_period_days = 0
    or u.date_joined <= now() - r.waiting_period_days * interval '1 day'
$$;

-- Whether a user belongs to a system group by role.
create or replace function group_includes_role(g user_group, u realm_user, r realm) returns boolean
language sql stable as $$
  select g.role_limit >= u.role and (not g.full_members_only or is_past_waiting_period(u, r))
$$;

-- Whether a user belongs to a group: as a direct member, by role, or through a subgroup.
-- Deactivated users belong to none.
create or replace function group_has_user(realm bigint, target bigint, member bigint) returns boolean
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
create or replace function groups_of(realm bigint, member bigint) returns setof bigint
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

-- Who may see and read a channel: the rules of resources/channels/access.ts, for statements over many
-- channels or users. access.test.ts compares every answer of both. Each function is one expression
-- without a subquery, so that the planner inlines it.

-- The groups whose members, guests excepted, may read a channel.
create or replace function channel_reader_groups(c channel) returns bigint[]
language sql immutable as $$
  select array[c.can_subscribe_group, c.can_add_subscribers_group]
$$;

-- The groups whose members, guests excepted, may see that a channel exists.
create or replace function channel_viewer_groups(c channel) returns bigint[]
language sql immutable as $$
  select array[c.can_subscribe_group, c.can_add_subscribers_group, c.can_administer_channel_group]
$$;

-- Whether a user may see name, description, settings and subscribers of a channel. in_group: the user is
-- in one of channel_viewer_groups.
create or replace function channel_is_visible(c channel, role integer, is_subscribed boolean, in_group boolean)
returns boolean language sql immutable as $$
  select is_subscribed or c.is_web_public or role <= 200
    or (role < 600 and (not c.invite_only or in_group))
$$;

-- Whether a user may read the messages of a channel and subscribe to it. in_group: the user is in one of
-- channel_reader_groups.
create or replace function channel_is_readable(c channel, role integer, is_subscribed boolean, in_group boolean)
returns boolean language sql immutable as $$
  select is_subscribed or c.is_web_public or (role < 600 and (not c.invite_only or in_group))
$$;

-- Whether readers may read messages that were sent before they subscribed.
create or replace function channel_shares_history(c channel) returns boolean
language sql immutable as $$
  select not c.invite_only or c.history_public_to_subscribers
$$;

-- channel_is_readable for any user. Looks up the groups of each user, so use it for few of them.
create or replace function channel_is_readable_by(c channel, u realm_user, is_subscribed boolean)
returns boolean language sql stable as $$
  select channel_is_readable(c, u.role, is_subscribed,
    group_has_user(c.realm_id, c.can_subscribe_group, u.id)
      or group_has_user(c.realm_id, c.can_add_subscribers_group, u.id))
$$;

-- The access of one user to every channel of their realm. Looks up the groups of the user once. The id
-- of no user stands for a client without a login: a guest who is in no group and no channel.
create or replace function channel_access(in_realm bigint, viewer bigint)
returns table (channel_id bigint, is_visible boolean, is_readable boolean, shows_history boolean)
language sql stable as $$
  select c.id,
    channel_is_visible(c, u.role, s.user_id is not null,
      channel_viewer_groups(c) && array(select g from groups_of(in_realm, viewer) g)),
    channel_is_readable(c, u.role, s.user_id is not null,
      channel_reader_groups(c) && array(select g from groups_of(in_realm, viewer) g)),
    channel_shares_history(c) and channel_is_readable(c, u.role, s.user_id is not null,
      channel_reader_groups(c) && array(select g from groups_of(in_realm, viewer) g))
  from (select coalesce((select r.role from realm_user r
      where r.realm_id = in_realm and r.id = viewer), 600) as role) u
  join channel c on c.realm_id = in_realm
  left join subscription s
    on s.realm_id = in_realm and s.user_id = viewer and s.channel_id = c.id and s.is_active
$$;
