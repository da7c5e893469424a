-- is_mismatched: the quarantine is for a token of another app, project or key: the phone has to register again.
alter table device add column is_mismatched boolean not null default false;
