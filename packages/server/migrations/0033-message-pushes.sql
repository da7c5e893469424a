-- The pushes of messages that a phone may show: sent or on their way, until the user has read the
-- message or may no longer read it. Inserted by the job that sends, before it sends. No foreign key to
-- the message: the row of a deleted message says whose phones have to remove it.
create table message_push (
  realm_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  -- The job that pushes it.
  job_id uuid not null,
  -- Whether that job has ended: the phones of the user may show the message.
  is_sent boolean not null default false,
  -- Read, or out of reach, before that job has ended, which then removes the message from the phones.
  is_withdrawn boolean not null default false,
  primary key (realm_id, user_id, message_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index message_push_message on message_push (realm_id, message_id);
create index message_push_job on message_push (realm_id, job_id) where not is_sent;

-- What the attempts of a job have sent to the bouncer, encrypted, until the job ends: a repeated attempt
-- sends the same bytes with the same Idempotency-Key, and the bouncer sends no notification twice.
create table push_request (
  realm_id bigint not null references realm on delete cascade,
  job_id uuid not null,
  idempotency_key text not null,
  items text not null,
  primary key (realm_id, job_id, idempotency_key)
);
