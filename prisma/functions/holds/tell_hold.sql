-- Tells what happened to a hold as an event, as of a moment; the card's row is locked. `movement` is a
-- capture's, and `taken` what it takes of the card next.
CREATE OR REPLACE FUNCTION tell_hold(hold uuid, type text, moment timestamptz, movement uuid DEFAULT NULL,
  taken int DEFAULT 0) RETURNS void
LANGUAGE sql AS $$
  SELECT add_event(h.customer_id, type, h.id, movement, h.branch_id, jsonb_strip_nulls(jsonb_build_object(
    'eState', h.state, 'eReason', h.reason, 'iPoints', h.points, 'iCaptured', h.captured,
    'iRemaining', CASE h.state WHEN 'open' THEN h.points - h.captured ELSE 0 END, 'dExpiresAt', to_char(h.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'oDrawn', jsonb_build_object('iPaid', h.paid, 'iBonus', h.points - h.paid), 'sSaleRef', h.sale_ref,
    'branch', jsonb_build_object('_id', h.branch_id), 'actor', jsonb_strip_nulls(jsonb_build_object(
      'eType', CASE WHEN h.api_key_id IS NULL THEN 'user' ELSE 'apiKey' END, '_id', coalesce(h.actor_id, h.api_key_id))),
    'iHeld', c.held - taken, 'iAvailable', c.balance - c.held)), moment)
  FROM holds h JOIN customers c ON c.id = h.customer_id WHERE h.id = hold
$$;
