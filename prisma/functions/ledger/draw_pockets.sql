-- A debit of `wanted` points, no more than there are: bonus of the lot that ends soonest first, and paid, in the
-- merchant's order.
CREATE OR REPLACE FUNCTION draw_pockets(customer uuid, paid int, wanted int, spend "SpendOrder") RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
DECLARE
  change pocket_change;
  lot record;
  open int := wanted;
  part int;
BEGIN
  change.paid := CASE spend WHEN 'paid_first' THEN -least(paid, wanted) ELSE -greatest(0, wanted - (
    SELECT coalesce(sum(l.remaining), 0) FROM lots l WHERE l.customer_id = customer AND l.remaining > 0)) END;
  open := wanted + change.paid;
  change.bonus := -open;
  FOR lot IN
    SELECT l.id, l.remaining FROM lots l WHERE l.customer_id = customer AND l.remaining > 0 ORDER BY l.ends_at, l.id
  LOOP
    EXIT WHEN open = 0;
    part := least(open, lot.remaining);
    change.lots := change.lots || lot.id;
    change.lot_points := change.lot_points || -part;
    open := open - part;
  END LOOP;
  RETURN change;
END $$;
