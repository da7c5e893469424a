-- While a webhook's token is being exchanged: the one that deliveries still carry, and until when.
alter table bot_service add column old_token_sealed bytea, add column old_token_until timestamptz;
