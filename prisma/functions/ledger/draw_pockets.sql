-- A debit of `wanted` points, no more than there are: bonus of the lot that ends soonest first, and paid, in the
-- merchant's order.
CREATE OR REPLACE FUNCTION draw_pockets(card customers, wanted int, spend "SpendOrder") RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
DECLARE
  change pocket_change;
  lot record;
  open int;
  part int;
BEGIN
  change.paid := -CASE spend WHEN 'paid_first' THEN least(card.balance - card.bonus, wanted) ELSE greatest(0, wanted - card.bonus) END;
  open := wanted + change.paid;
  change.bonus := -open;
  IF open = 0 THEN RETURN change; END IF;
  FOR lot IN
    SELECT l.id, l.remaining FROM lots l WHERE l.customer_id = card.id AND l.remaining > 0 ORDER BY l.ends_at, l.id
  LOOP
    EXIT WHEN open = 0;
    part := least(open, lot.remaining);
    change.lots := change.lots || lot.id;
    change.lot_points := change.lot_points || -part;
    open := open - part;
  END LOOP;
  RETURN change;
END $$;
