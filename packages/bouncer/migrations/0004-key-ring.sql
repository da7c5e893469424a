-- Key pairs that phones encrypt their registrations for. sealed_secret is the private key, encrypted with
-- the operator's BELLHOP_BOUNCER_ENCRYPTION_KEY; a retired pair has none, and is not used either if the
-- configuration has it.
create table registration_key (
  number bigint primary key generated always as identity,
  public_key text not null unique,
  sealed_secret bytea,
  created_at timestamptz not null,
  retired_at timestamptz,
  check ((sealed_secret is null) = (retired_at is not null))
);
