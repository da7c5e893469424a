-- Why a registration failed, in words for its user. Null for devices that failed before.
alter table push_device add column error_message text;
