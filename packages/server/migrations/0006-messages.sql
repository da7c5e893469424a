-- The address of a message: a channel, or the participants of a direct conversation in ascending order.
create table recipient (
  realm_id bigint not null references realm on delete cascade,
  id bigint generated always as identity,
  channel_id bigint,
  user_ids bigint[],
  primary key (realm_id, id),
  unique (realm_id, channel_id),
  foreign key (realm_id, channel_id) references channel on delete cascade,
  check ((channel_id is null) <> (user_ids is null))
);
create unique index recipient_users on recipient (realm_id, user_ids) where user_ids is not null;
create index recipient_participants on recipient using gin (user_ids) where user_ids is not null;

-- The text that the search indexes. The text parser takes quadratic time for `<` and for long words
-- with `_` or `/` in them: `<` becomes a space, and words of more than 200 characters are divided.
create function searchable(words text) returns text language sql immutable parallel safe as $$
  select case when words ~ '\S{201}' then regexp_replace(translate(words, '<', ' '), '(\S{200})', '\1 ', 'g')
    else translate(words, '<', ' ') end
$$;

-- Each insert checks two foreign keys; channel_id repeats the recipient's (docs/decisions/0011).
create table message (
  realm_id bigint not null,
  id bigint generated always as identity,
  sender_id bigint not null,
  recipient_id bigint not null,
  channel_id bigint,
  topic text not null default '',
  content text not null,
  rendered_content text not null,
  -- UNIX seconds, as last_edited_at and last_moved_at.
  sent_at bigint not null,
  client text not null,
  is_me_message boolean not null default false,
  has_link boolean not null default false,
  has_image boolean not null default false,
  has_attachment boolean not null default false,
  edit_history jsonb,
  last_edited_at bigint,
  last_moved_at bigint,
  search tsvector generated always as (
    to_tsvector('english', searchable(topic || ' ' || content))) stored,
  primary key (realm_id, id),
  foreign key (realm_id, sender_id) references realm_user,
  foreign key (realm_id, recipient_id) references recipient
);
create index message_recipient on message (realm_id, recipient_id, id);
create index message_topic on message (realm_id, channel_id, lower(topic), id)
  where channel_id is not null;
create index message_sender on message (realm_id, sender_id, id);
-- For counting recent messages. BRIN: a few kilobytes, almost no cost per insert.
create index message_sent on message using brin (sent_at);
create index message_search on message using gin (search);

-- A channel, a recipient and a user are of one realm. Without this the planner takes the conditions
-- for independent, expects too few rows and sorts all messages of a user for one page.
create statistics message_realm (dependencies)
  on realm_id, channel_id, recipient_id, sender_id from message;

-- One row per receiver of a message, with the receiver's flags as bits (see messages/read/flags.ts).
-- No foreign keys: deleting a message deletes these rows by a statement of its own.
create table user_message (
  realm_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  flags integer not null default 0,
  primary key (realm_id, user_id, message_id)
);
create index user_message_message on user_message (realm_id, message_id);
create index user_message_unread on user_message (realm_id, user_id, message_id)
  where flags & 1 = 0;
-- Starred, mentioned in any way, or with an alert word: MARKED_FLAGS of messages/read/flags.ts.
create index user_message_marked on user_message (realm_id, user_id, message_id)
  where flags & 250 <> 0;
create statistics user_message_realm (dependencies) on realm_id, user_id from user_message;
