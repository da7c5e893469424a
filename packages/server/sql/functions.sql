-- Functions that nodes of the version before call. Those of this version have the rules in their statements
-- (docs/decisions/0126): change them in model/, not here. This file runs behind the last migration, and again whenever it has
-- changed (docs/decisions/0100): a migration calls none of them. Nodes of the version before still call
-- them, so one whose parameters or result change gets a new name. One that a column needs (searchable)
-- stays where the column is made.

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

-- Whether a system group includes users of a role; is_full_member: their waiting period is over.
create or replace function group_includes(g user_group, role integer, is_full_member boolean)
returns boolean language sql immutable as $$
  select g.role_limit >= role and (not g.full_members_only or is_full_member)
$$;

-- Whether a user belongs to a system group by role.
create or replace function group_includes_role(g user_group, u realm_user, r realm) returns boolean
language sql stable as $$
  select group_includes(g, u.role, is_past_waiting_period(u, r))
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

-- Whether can_access_all_users_group of a realm includes guests: it is the system group of everyone or of
-- members.
create or replace function guests_see_all_users(in_realm bigint) returns boolean
language sql stable as $$
  select exists (
    select from realm r
    join user_group g on g.realm_id = r.id
      and g.id = (r.group_settings ->> 'can_access_all_users_group')::bigint
    where r.id = in_realm and g.role_limit >= 600
  )
$$;

-- What a user may do in a channel. All is decided here. channel_rights has the rights of one user; the
-- functions before it are its parts, for statements over many users. Each is one expression without a
-- subquery, so that the planner inlines it. A setting that may not be role:everyone gives guests nothing,
-- in whichever group they are (permission-settings.ts).

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

-- Whether a user may post in a channel: guests only where they are subscribed, others also in public
-- channels, nobody in an archived one. is_subscribed and in_group: the sender, or the owner of a sending
-- bot; the group is can_send_message_group.
create or replace function channel_takes_posts(c channel, role integer, is_subscribed boolean, in_group boolean)
returns boolean language sql immutable as $$
  select not c.is_archived and (is_subscribed or (not c.invite_only and role < 600)) and in_group
$$;

-- Whether a permission of the realm is given to one of these groups.
create or replace function realm_grants(r realm, setting text, groups bigint[]) returns boolean
language sql immutable as $$
  select coalesce((r.group_settings ->> setting)::bigint = any(groups), false)
$$;

-- A user with their groups, and what the realm permits them in all channels. The id of no user stands for
-- a client without a login: a guest who is in no group and no channel.
create or replace function rights_in_realm(in_realm bigint, viewer bigint)
returns table (role integer, groups bigint[], adds_subscribers boolean, moves_within boolean,
  moves_out boolean, resolves_topics boolean, deletes_any boolean, deletes_own boolean)
language sql stable as $$
  select u.role, u.groups,
    u.role < 600 and realm_grants(r, 'can_add_subscribers_group', u.groups),
    realm_grants(r, 'can_move_messages_between_topics_group', u.groups),
    u.role < 600 and realm_grants(r, 'can_move_messages_between_channels_group', u.groups),
    realm_grants(r, 'can_resolve_topics_group', u.groups),
    u.role < 600 and realm_grants(r, 'can_delete_any_message_group', u.groups),
    realm_grants(r, 'can_delete_own_message_group', u.groups)
  from realm r, (
    select coalesce((select m.role from realm_user m where m.realm_id = in_realm and m.id = viewer), 600)
        as role,
      array(select g from groups_of(in_realm, viewer) g) as groups
    -- Keeps the groups from being looked up once for each mention.
    offset 0
  ) u
  where r.id = in_realm
$$;

-- The rights of one user in every channel of their realm.
create or replace function channel_rights(in_realm bigint, viewer bigint)
returns table (channel_id bigint, is_subscribed boolean,
  -- Name, description, settings and subscribers.
  sees_metadata boolean,
  -- Messages, and subscribing oneself (spec, Create a channel).
  reads_content boolean,
  -- Messages from before the user came.
  reads_history boolean,
  administers boolean, adds_subscribers boolean,
  -- Unsubscribes other users.
  removes_subscribers boolean,
  -- Changes topics of messages, and moves messages to other channels.
  moves_within boolean, moves_out boolean,
  resolves_topics boolean, deletes_any boolean, deletes_own boolean)
language sql stable as $$
  with v as materialized (select * from rights_in_realm(in_realm, viewer))
  select c.id, a.is_subscribed, a.sees, a.reads, a.reads and channel_shares_history(c), a.administers,
    v.role < 600 and a.reads
      and (a.administers or v.adds_subscribers or c.can_add_subscribers_group = any(v.groups)),
    a.administers or (a.reads and c.can_remove_subscribers_group = any(v.groups)),
    a.administers or v.moves_within or c.can_move_messages_within_channel_group = any(v.groups),
    a.administers or v.moves_out or c.can_move_messages_out_of_channel_group = any(v.groups),
    a.administers or v.resolves_topics or c.can_resolve_topics_group = any(v.groups),
    v.deletes_any or c.can_delete_any_message_group = any(v.groups),
    v.deletes_own or c.can_delete_own_message_group = any(v.groups)
  from v
  join channel c on c.realm_id = in_realm
  left join subscription s
    on s.realm_id = in_realm and s.user_id = viewer and s.channel_id = c.id and s.is_active
  cross join lateral (select s.user_id is not null as is_subscribed,
    channel_is_visible(c, v.role, s.user_id is not null, channel_viewer_groups(c) && v.groups) as sees,
    channel_is_readable(c, v.role, s.user_id is not null, channel_reader_groups(c) && v.groups) as reads,
    v.role <= 200 or (v.role < 600 and c.can_administer_channel_group = any(v.groups)) as administers) a
$$;

-- For nodes that began before there was channel_rights.
create or replace function channel_access(in_realm bigint, viewer bigint)
returns table (channel_id bigint, is_visible boolean, is_readable boolean, shows_history boolean)
language sql stable as $$
  select channel_id, sees_metadata, reads_content, reads_history from channel_rights(in_realm, viewer)
$$;
