-- What was done for each push: a row for each request and each retry. Rows are only added, in batches and a
-- moment late, and deleted by age and number. No foreign keys: rows of deleted realms are not inserted.
-- Not logged: a crash of PostgreSQL loses the traces, and no push waits for their flush.
create unlogged table push_trace (
  realm_uuid uuid not null,
  server_uuid uuid not null,
  number bigint generated always as identity,
  -- 16 hexadecimal digits of the SHA-256 of the ciphertext.
  cipher_id text not null,
  push_id uuid not null,
  device_id bigint not null,
  at timestamptz not null,
  entry json not null
);
create index push_trace_cipher on push_trace (cipher_id);
create index push_trace_number on push_trace (number);
