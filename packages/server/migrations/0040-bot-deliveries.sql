-- A delivery to the webhook of a bot: written when its first attempt ends, and a replay when it is
-- asked for. Until then it is a job. Deleting a message deletes its deliveries.
create table bot_delivery (
  realm_id bigint not null,
  -- The id of the job.
  id uuid not null,
  bot_id bigint not null,
  service_id bigint not null,
  -- Null for a test.
  message_id bigint,
  trigger text not null,
  status text not null check (status in ('pending', 'retrying', 'delivered', 'failed', 'dropped')),
  created_at timestamptz not null,
  attempt_count integer not null default 0,
  next_attempt_at timestamptz,
  duration_ms integer,
  http_status integer,
  error_code text,
  verdict text not null,
  reply_outcome text not null default 'none',
  reply_message_id bigint,
  reply_reason text,
  replay_of uuid,
  -- The replay of many that made it.
  replay_id uuid,
  -- What a replay sends, with a masked token; null: the payload of the message.
  replay_payload text,
  sends_reply boolean not null default true,
  primary key (realm_id, id),
  foreign key (realm_id, bot_id) references realm_user on delete cascade,
  foreign key (realm_id, service_id) references bot_service on delete cascade,
  foreign key (realm_id, message_id) references message on delete cascade
);
create index bot_delivery_bot on bot_delivery (realm_id, bot_id, id);
create index bot_delivery_message on bot_delivery (realm_id, message_id);
create index bot_delivery_service on bot_delivery (realm_id, service_id);

-- What was sent and answered in one attempt, without secrets.
create table bot_delivery_attempt (
  realm_id bigint not null,
  delivery_id uuid not null,
  number integer not null,
  started_at timestamptz not null,
  timing json,
  url text not null,
  request_headers json not null,
  payload text not null,
  response_status integer,
  response_headers json,
  response_body text,
  truncated boolean not null default false,
  error_code text,
  near text,
  verdict text not null,
  primary key (realm_id, delivery_id, number),
  foreign key (realm_id, delivery_id) references bot_delivery on delete cascade
);

-- The queues that get the events of consoles.
create index event_queue_console on event_queue (realm_id, user_id)
  where registration -> 'capabilities' ->> 'console_events' = 'true';
