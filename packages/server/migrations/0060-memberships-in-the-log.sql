-- The rows of the log that say who joined channels and who left them: few among many events.
create index event_membership on event (realm_id, seq) where type = 'membership';
