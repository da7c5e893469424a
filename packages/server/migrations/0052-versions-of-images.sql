-- Browsers keep an image by its version: a count of its changes is repeated after a restore. Sequences
-- jump then (packages/postgres/src/epoch.ts).
alter table realm_image alter column version type bigint;
create sequence realm_image_version;
select setval('realm_image_version', coalesce(max(version), 0) + 1, false) from realm_image;
