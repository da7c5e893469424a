-- Who may see and read a channel: the rules of resources/channels/access.ts, for statements over many
-- channels or users. access.test.ts compares every answer of both. Each function is one expression
-- without a subquery, so that the planner inlines it.

-- The groups whose members, guests excepted, may read a channel.
create function channel_reader_groups(c channel) returns bigint[]
language sql immutable as $$
  select array[c.can_subscribe_group, c.can_add_subscribers_group]
$$;

-- The groups whose members, guests excepted, may see that a channel exists.
create function channel_viewer_groups(c channel) returns bigint[]
language sql immutable as $$
  select array[c.can_subscribe_group, c.can_add_subscribers_group, c.can_administer_channel_group]
$$;

-- Whether a user may see name, description, settings and subscribers of a channel. in_group: the user is
-- in one of channel_viewer_groups.
create function channel_is_visible(c channel, role integer, is_subscribed boolean, in_group boolean)
returns boolean language sql immutable as $$
  select is_subscribed or c.is_web_public or role <= 200
    or (role < 600 and (not c.invite_only or in_group))
$$;

-- Whether a user may read the messages of a channel and subscribe to it. in_group: the user is in one of
-- channel_reader_groups.
create function channel_is_readable(c channel, role integer, is_subscribed boolean, in_group boolean)
returns boolean language sql immutable as $$
  select is_subscribed or c.is_web_public or (role < 600 and (not c.invite_only or in_group))
$$;

-- Whether readers may read messages that were sent before they subscribed.
create function channel_shares_history(c channel) returns boolean
language sql immutable as $$
  select not c.invite_only or c.history_public_to_subscribers
$$;

-- channel_is_readable for any user. Looks up the groups of each user, so use it for few of them.
create function channel_is_readable_by(c channel, u realm_user, is_subscribed boolean)
returns boolean language sql stable as $$
  select channel_is_readable(c, u.role, is_subscribed,
    group_has_user(c.realm_id, c.can_subscribe_group, u.id)
      or group_has_user(c.realm_id, c.can_add_subscribers_group, u.id))
$$;

-- The access of one user to every channel of their realm. Looks up the groups of the user once. The id
-- of no user stands for a client without a login: a guest who is in no group and no channel.
create function channel_access(in_realm bigint, viewer bigint)
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
