-- Writes what a movement does to lots: the new lot of a BONUS, or what it takes of lots and gives back to them.
CREATE OR REPLACE FUNCTION write_lots(m movements, change pocket_change, lot_ends timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF m.type = 'BONUS' THEN
    INSERT INTO lots (id, customer_id, merchant_id, points, remaining, ends_at, granted_ends_at)
    VALUES (m.id, m.customer_id, m.merchant_id, m.points, m.points, lot_ends, lot_ends);
    change.lots := ARRAY[m.id];
    change.lot_points := ARRAY[m.points];
  ELSE
    UPDATE lots l SET remaining = l.remaining + n.points, ends_at = coalesce(n.ends, l.ends_at),
      extended = l.extended OR n.ends IS NOT NULL
    FROM unnest(change.lots, change.lot_points, change.lot_ends) AS n(lot, points, ends) WHERE l.id = n.lot;
  END IF;
  INSERT INTO lot_moves (movement_id, lot_id, points, extended_to)
  SELECT m.id, n.lot, n.points, n.ends
  FROM unnest(change.lots, change.lot_points, change.lot_ends) AS n(lot, points, ends);
END $$;
