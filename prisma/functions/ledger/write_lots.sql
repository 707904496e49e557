-- Writes what decided rows do to lots: the new lot of a BONUS, and what the others take of lots and give back to them.
CREATE OR REPLACE FUNCTION write_lots(steps posting_step[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lots (id, customer_id, merchant_id, points, remaining, ends_at, granted_ends_at)
  SELECT s.id, (s.card).id, (s.card).merchant_id, (s.change).bonus, (s.change).bonus, (s.posting).ends_at, (s.posting).ends_at
  FROM unnest(steps) s WHERE (s.posting).type = 'BONUS';
  UPDATE lots l SET remaining = l.remaining + n.points, ends_at = coalesce(n.ends, l.ends_at),
    extended = l.extended OR n.ends IS NOT NULL
  FROM unnest(steps) s
  CROSS JOIN LATERAL unnest((s.change).lots, (s.change).lot_points, (s.change).lot_ends) AS n(lot, points, ends)
  WHERE l.id = n.lot;
  INSERT INTO lot_moves (movement_id, lot_id, points, extended_to)
  SELECT s.id, coalesce(n.lot, s.id), coalesce(n.points, (s.change).bonus), n.ends
  FROM unnest(steps) s
  LEFT JOIN LATERAL unnest((s.change).lots, (s.change).lot_points, (s.change).lot_ends) AS n(lot, points, ends) ON true
  WHERE (s.change).bonus <> 0;
END $$;
