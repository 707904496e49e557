-- Writes what decided rows do to lots: the new lot of a BONUS, and what the others take of lots and give back to them.
CREATE OR REPLACE FUNCTION write_lots(steps posting_step[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lots (id, movement_id, customer_id, merchant_id, points, remaining, ends_at, granted_ends_at)
  SELECT (s.change).lots[1], s.id, (s.card).id, (s.card).merchant_id, (s.change).bonus, (s.change).bonus, (s.posting).ends_at,
    (s.posting).ends_at
  FROM unnest(steps) s WHERE (s.posting).type = 'BONUS';
  -- What a capture takes was held.
  UPDATE lots l SET remaining = l.remaining + n.points,
    held = l.held + CASE WHEN (s.posting).hold IS NULL THEN 0 ELSE n.points END, ends_at = coalesce(n.ends, l.ends_at),
    extended = l.extended OR n.ends IS NOT NULL
  FROM unnest(steps) s
  CROSS JOIN LATERAL unnest((s.change).lots, (s.change).lot_points, (s.change).lot_ends) AS n(lot, points, ends)
  WHERE l.id = n.lot AND (s.posting).type <> 'BONUS';
  INSERT INTO lot_moves (movement_id, lot_id, points, extended_to)
  SELECT s.id, n.lot, n.points, n.ends
  FROM unnest(steps) s
  CROSS JOIN LATERAL unnest((s.change).lots, (s.change).lot_points, (s.change).lot_ends) AS n(lot, points, ends)
  WHERE (s.change).bonus <> 0;
END $$;
