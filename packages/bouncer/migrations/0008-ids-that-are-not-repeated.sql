-- IDs that chat servers and operators remember. They are random: a sequence in a restored backup would give
-- out once more the IDs of what came after the backup, and a push would go to the phone of somebody else.
-- From 1 to 2^52, so that a double holds each exactly.
create function random_id() returns bigint language sql volatile
  return ('x' || substr(replace(gen_random_uuid()::text, '-', ''), 20, 13))::bit(52)::bigint + 1;

alter table device alter column device_id drop identity;
alter table device alter column device_id set default random_id();
alter table invitation alter column invitation_number drop identity;
alter table invitation alter column invitation_number set default random_id();
