-- A part of a REDEEM given back (NULL: all that is left): paid first, then bonus, the lot that ends last first.
CREATE OR REPLACE FUNCTION refund_change(original movements, wanted bigint, moment timestamptz) RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
DECLARE
  change pocket_change;
  standing uuid[];
  given record;
  lot record;
  open int;
BEGIN
  SELECT array_agg(f.id) AS ids, coalesce(sum(f.points), 0) AS points, coalesce(sum(f.paid_points), 0) AS paid
  INTO given FROM movements f
  WHERE f.refunds_id = original.id AND NOT EXISTS (SELECT 1 FROM movements v WHERE v.reverses_id = f.id);
  open := -original.points - given.points;
  IF open = 0 OR wanted > open THEN
    change.outcome := 'refund_exceeded';
    change.allowed := open;
    RETURN change;
  END IF;
  open := coalesce(wanted, open);
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
