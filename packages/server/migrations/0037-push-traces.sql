-- What became of each push, for the user whom it was for. Written when the bouncer has answered, or has
-- not: an attempt more is appended to attempts. Holds no text, neither plain nor encrypted.
create table push_trace (
  realm_id bigint not null,
  -- 16 hexadecimal digits of the SHA-256 of the ciphertext.
  cipher_id text not null,
  -- In the order of the first attempts.
  trace_id bigint generated always as identity,
  user_id bigint not null,
  push_account_id bigint not null,
  message_id bigint,
  created_at timestamptz not null default now(),
  facts json not null,
  attempts jsonb not null,
  primary key (realm_id, cipher_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index push_trace_user on push_trace (realm_id, user_id, trace_id);
