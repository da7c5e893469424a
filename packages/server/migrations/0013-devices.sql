-- A phone's push account. The server knows the phone's public key and the bouncer's id of the device,
-- never the provider's token.
create table push_device (
  realm_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  push_account_id bigint not null,
  token_kind text not null check (token_kind in ('fcm', 'apns', 'webpush')),
  push_public_key text not null,
  -- SHA-256 of the encrypted registration, which is good for one account.
  registration_hash bytea,
  -- Set when the bouncer registers the device; error_code when it rejects it. Pending: both null.
  bouncer_device_id bigint,
  error_code text,
  primary key (realm_id, id),
  unique (realm_id, user_id, push_account_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index push_device_active on push_device (realm_id, user_id)
  where bouncer_device_id is not null;
create index push_device_registration on push_device (realm_id, registration_hash);
