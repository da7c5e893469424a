-- A phone of level 468 and later. Made empty by its app at the login; then it has a key that it shares
-- with the server, and a token that only the phone and the bouncer know. Ids are never given again:
-- phones keep theirs.
create table client_device (
  realm_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  -- Both null until the phone has registered its first key. The key is sealed with the server's secret:
  -- who has it can read the notifications.
  push_key_id bigint check (push_key_id between 0 and 4294967295),
  push_key bytea,
  -- The token that notifications are sent to: the first 8 bytes of its SHA-256.
  push_token_id bytea check (octet_length(push_token_id) = 8),
  token_kind text check (token_kind in ('fcm', 'apns', 'webpush')),
  -- The bouncer's id of that token in this realm. Null if the bouncer tells none.
  bouncer_device_id bigint,
  -- A token that the bouncer has not accepted yet or, with an error_code, has refused.
  pending_push_token_id bytea check (octet_length(pending_push_token_id) = 8),
  pending_token_kind text check (pending_token_kind in ('fcm', 'apns', 'webpush')),
  -- Counts the registrations: a job of an earlier one changes nothing any more.
  registration bigint not null default 0,
  -- UNIX seconds.
  token_updated_at bigint,
  error_code text,
  error_message text,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references realm_user on delete cascade,
  check ((push_key is null) = (push_key_id is null)),
  check ((token_kind is null) = (push_token_id is null)),
  check ((pending_token_kind is null) = (pending_push_token_id is null))
);
create index client_device_user on client_device (realm_id, user_id);
create index client_device_active on client_device (realm_id, user_id)
  where push_token_id is not null;
-- Of phones that registered by device_id, whose ids are beside the account ids of others.
alter table push_trace alter column push_account_id drop not null;
alter table push_trace add column device_id bigint;
