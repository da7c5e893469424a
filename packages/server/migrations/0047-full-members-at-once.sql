-- now() is when a transaction began. One that began before a user joined and waited for their creation saw
-- them as no full member, in realms without a waiting period too.
create or replace function is_past_waiting_period(u realm_user, r realm) returns boolean
language sql stable as $$
  select u.role < 400 or r.waiting_period_days = 0
    or u.date_joined <= now() - r.waiting_period_days * interval '1 day'
$$;
