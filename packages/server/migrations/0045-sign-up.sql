-- Null: somebody asked for the invitation without a link, in a realm that requires none.
alter table invite alter column invited_by drop not null;
