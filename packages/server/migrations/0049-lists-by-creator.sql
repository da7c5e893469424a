-- The channels and groups that one person has created, for the limits of such lists.
create index channel_creator on channel (realm_id, creator_id);
create index user_group_creator on user_group (realm_id, creator_id) where name is not null;

-- The space that clients are told does not include uploads that have not ended.
drop index upload_realm;
create index upload_realm on upload (realm_id, is_complete) include (size);
