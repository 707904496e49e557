-- What a capture takes of its hold (no points: all that is left), from the lots that the hold reserves, in the merchant's
-- order; or why not. It asks for no confirmation: the hold did.
CREATE OR REPLACE FUNCTION capture_change(r posting_row, g posting_facts, h holds) RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
DECLARE
  rest int := h.points - h.captured;
  rest_paid int := h.paid - h.captured_paid;
  -- As it was asked for: an amount that no card holds is refused like any other.
  wanted bigint := coalesce(r.points, rest);
  change pocket_change;
  lot record;
  open int;
  part int;
BEGIN
  IF h.state <> 'open' THEN RETURN refused('hold_closed'); END IF;
  IF wanted < 1 THEN RETURN refused('below_minimum', 1); END IF;
  IF wanted > rest THEN RETURN refused('hold_exceeded', rest); END IF;
  IF g.own_card THEN RETURN refused('own_card'); END IF;
  change.paid := -CASE g.spend_order WHEN 'paid_first' THEN least(rest_paid, wanted)
    ELSE greatest(0, wanted - (rest - rest_paid)) END;
  open := wanted + change.paid;
  change.bonus := -open;
  IF open = 0 THEN RETURN change; END IF;
  FOR lot IN
    SELECT d.lot_id, d.points - d.captured AS held FROM hold_lots d JOIN lots l ON l.id = d.lot_id
    WHERE d.hold_id = h.id AND d.points > d.captured ORDER BY l.ends_at, l.id
  LOOP
    EXIT WHEN open = 0;
    part := least(open, lot.held);
    change.lots := change.lots || lot.lot_id;
    change.lot_points := change.lot_points || -part;
    open := open - part;
  END LOOP;
  RETURN change;
END $$;
