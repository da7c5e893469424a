-- The beginning of the message, for lists of deliveries.
alter table bot_delivery add column excerpt text not null default '';

-- A bot that replied and reported an error of its own.
alter table bot_delivery drop constraint bot_delivery_status_check;
alter table bot_delivery add constraint bot_delivery_status_check
  check (status in ('pending', 'retrying', 'delivered', 'bot_error', 'failed', 'dropped'));
