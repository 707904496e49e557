-- A reversed movement no longer counts in the day of the employee or API key that posted it.
CREATE OR REPLACE FUNCTION uncount_reversed(o movements) RETURNS void LANGUAGE sql AS $$
  UPDATE worker_days SET topped_up = topped_up - greatest(o.points, 0), unproved = unproved + least(o.points, 0)
  WHERE user_id = o.actor_id AND day = qatar_day(o.created_at) AND o.hold_id IS NULL
    AND (o.type IN ('TOP_UP', 'REFUND') OR (o.type = 'REDEEM' AND o.proof = 'none'));
  UPDATE worker_days w SET unproved = w.unproved + o.points FROM holds h
  WHERE h.id = o.hold_id AND w.user_id = h.actor_id AND w.day = h.unproved_on;
  UPDATE api_key_days SET added = added - o.points
  WHERE api_key_id = o.api_key_id AND day = qatar_day(o.created_at) AND o.type IN ('TOP_UP', 'BONUS')
$$;
