-- A part of a REDEEM given back (no points: all that is left): paid first, then bonus, the lot that ends last first.
CREATE OR REPLACE FUNCTION refund_change(r posting_row, g posting_facts, moment timestamptz) RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
DECLARE
  original movements := g.original;
  by_employee boolean := g.actor_role IS NOT DISTINCT FROM 'branch_worker';
  change pocket_change;
  given record;
  lot record;
  open int;
BEGIN
  IF original.type <> 'REDEEM' THEN RETURN refused('not_refundable'); END IF;
  IF EXISTS (SELECT 1 FROM movements v WHERE v.reverses_id = original.id) THEN RETURN refused('already_reversed'); END IF;
  IF by_employee AND g.refund_days = 0 THEN RETURN refused('refund_forbidden'); END IF;
  IF by_employee AND moment > original.created_at + g.refund_days * interval '24 hours' THEN
    RETURN refused('refund_expired');
  END IF;
  IF original.rate > g.dirhams_per_point THEN RETURN refused('value_lowered'); END IF;
  IF r.points <= 0 THEN RETURN refused('below_minimum', 1); END IF;

  SELECT array_agg(f.id) AS ids, coalesce(sum(f.points), 0) AS points, coalesce(sum(f.paid_points), 0) AS paid
  INTO given FROM movements f
  WHERE f.refunds_id = original.id AND NOT EXISTS (SELECT 1 FROM movements v WHERE v.reverses_id = f.id);
  open := -original.points - given.points;
  IF open = 0 OR r.points > open THEN RETURN refused('refund_exceeded', open); END IF;
  open := coalesce(r.points, open);
  change.paid := least(open, -original.paid_points - given.paid);
  open := open - change.paid;
  change.bonus := open;
  IF open = 0 THEN RETURN change; END IF;
  FOR lot IN
    SELECT l.id, l.ends_at, l.extended, -m.points - coalesce((
      SELECT sum(b.points) FROM lot_moves b WHERE b.movement_id = ANY (given.ids) AND b.lot_id = l.id), 0)::int AS points
    FROM lot_moves m JOIN lots l ON l.id = m.lot_id WHERE m.movement_id = original.id
    ORDER BY l.ends_at DESC NULLS FIRST, l.id DESC
  LOOP
    EXIT WHEN open = 0;
    CONTINUE WHEN lot.points = 0;
    change.lots := change.lots || lot.id;
    change.lot_points := change.lot_points || least(open, lot.points);
    change.lot_ends := change.lot_ends || longer_end(lot.ends_at, lot.extended, moment);
    open := open - least(open, lot.points);
  END LOOP;
  RETURN change;
END $$;
