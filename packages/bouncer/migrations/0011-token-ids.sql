-- A device is named by its account (push_account_id), as in the specification, or by its token, as chat servers
-- of level 468 and later do. token_id: the first 8 bytes of the SHA-256 of the token as the phone has it, of
-- an APNs token in the phone's letters. A phone that registers in both ways has a row for each.
-- Nodes of the version before read and write the rows with a push_account_id as ever.
alter table device
  alter column push_account_id drop not null,
  add column token_id bytea,
  add constraint device_name check ((push_account_id is null) <> (token_id is null)),
  add constraint device_token_id_check check (octet_length(token_id) = 8);
create unique index device_token_id on device (realm_uuid, token_id) where token_id is not null;

-- The name in the item of the request, if it was a token_id.
alter table push_outcome add column token_id bytea;

-- Null: the realm has no device with the token_id that the entry has.
alter table push_trace alter column device_id drop not null;
