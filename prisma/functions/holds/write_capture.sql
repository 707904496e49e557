-- Writes in a hold what a capture takes of it, and ends it where the capture is final or nothing is left. What is left
-- of a final one is free, and expires at once where it has ended meanwhile. What is taken stays held until write_postings
-- takes it off the card.
CREATE OR REPLACE FUNCTION write_capture(r posting_row, h holds, change pocket_change, movement uuid, moment timestamptz,
  quiet boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  after holds;
BEGIN
  UPDATE holds SET captured = captured - change.paid - change.bonus, captured_paid = captured_paid - change.paid,
    -- A hold of which nothing is left is not open.
    state = CASE WHEN captured - change.paid - change.bonus = points THEN 'captured' ELSE state END,
    closed_at = CASE WHEN captured - change.paid - change.bonus = points THEN moment END
  WHERE id = h.id RETURNING * INTO after;
  IF change.bonus <> 0 THEN
    UPDATE hold_lots d SET captured = d.captured - n.points
    FROM unnest(change.lots, change.lot_points) AS n(lot, points) WHERE d.hold_id = h.id AND d.lot_id = n.lot;
  END IF;
  IF after.state = 'open' AND coalesce(r.final, true) THEN
    PERFORM end_hold(after, 'captured', NULL, NULL, moment);
    PERFORM expire_locked(ARRAY[h.customer_id], moment, quiet);
  END IF;
  PERFORM tell_hold(h.id, 'hold.captured', moment, movement, -(change.paid + change.bonus));
END $$;
