-- A reversed movement no longer counts in the day of the employee or API key that posted it.
CREATE OR REPLACE FUNCTION uncount_reversed(o movements) RETURNS void LANGUAGE sql AS $$
  UPDATE worker_days SET topped_up = topped_up - greatest(o.points, 0), unproved = unproved + least(o.points, 0)
  WHERE user_id = o.actor_id AND day = qatar_day(o.created_at)
    AND (o.type IN ('TOP_UP', 'REFUND') OR (o.type = 'REDEEM' AND o.proof = 'none'));
  UPDATE api_key_days SET added = added - o.points
  WHERE api_key_id = o.api_key_id AND day = qatar_day(o.created_at) AND o.type IN ('TOP_UP', 'BONUS')
$$;
