-- Who received a channel message follows from the periods in which they were subscribed, and whether they have
-- read it from how far they have read the channel: a row of user_message says where it is otherwise, or that
-- something is said about the two, such as a mention.
alter table subscription
  -- The IDs of the messages that the user received if they were sent in the channel.
  add received int8multirange not null default '{}',
  -- The user has read what they received up to this ID.
  add read_through bigint not null default 0,
  -- Who received messages with lower IDs is not in the two columns yet: everybody who did has a row for each. A
  -- job brings it there. Null: there are none.
  add rows_before bigint;
-- Messages whose ID is older than a change of these two columns, and which were sent later.
create index subscription_read_through on subscription (realm_id, channel_id, read_through);

alter table message
  -- The channel in which the message was sent, if it was moved to another.
  add home_channel_id bigint,
  -- Flags of everybody who received it by their subscription, and has no row: see messages/read/flags.ts.
  add flags integer not null default 0;
create index message_home on message (realm_id, home_channel_id, id) where home_channel_id is not null;
create index message_marked on message (realm_id, recipient_id, id) where flags & 250 <> 0;

create index subscription_rows_before on subscription (realm_id) where rows_before is not null;
update subscription s
set read_through = l.id, rows_before = l.id + 1, received = case when s.is_active and u.is_active
  then int8multirange(int8range(l.id, null, '(]')) else '{}' end
from (select nextval('message_id_seq') as id) l, realm_user u
where u.realm_id = s.realm_id and u.id = s.user_id;

-- Who wants to be notified of each message of a channel, by their setting for it or for all channels.
create index subscription_push on subscription (realm_id, channel_id) where push_notifications;
create index subscription_email on subscription (realm_id, channel_id) where email_notifications;
create index realm_user_wants_push on realm_user (realm_id)
  where settings ->> 'enable_stream_push_notifications' = 'true';
create index realm_user_wants_email on realm_user (realm_id)
  where settings ->> 'enable_stream_email_notifications' = 'true';
