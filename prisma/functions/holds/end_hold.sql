-- Ends an open hold of a card that the caller has locked: what is left of it is free again, and no longer counts in the
-- limits of the day on which it was counted.
CREATE OR REPLACE FUNCTION end_hold(h holds, ended "HoldState", why text, words text, moment timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  rest int := h.points - h.captured;
BEGIN
  UPDATE holds SET state = ended, reason = why, note = words, closed_at = moment WHERE id = h.id;
  IF rest = 0 THEN RETURN; END IF;
  UPDATE lots l SET held = l.held - (d.points - d.captured)
  FROM hold_lots d WHERE d.hold_id = h.id AND l.id = d.lot_id AND d.points > d.captured;
  UPDATE customers c SET held = c.held - rest,
    unproved = c.unproved - CASE WHEN h.unproved_on = c.unproved_on THEN rest ELSE 0 END
  WHERE c.id = h.customer_id;
  UPDATE worker_days SET unproved = unproved - rest WHERE user_id = h.actor_id AND day = h.unproved_on;
END $$;
