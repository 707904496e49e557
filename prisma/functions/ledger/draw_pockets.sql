-- A debit of `wanted` points, no more than no hold reserves: bonus of the lot that ends soonest first, and paid, in the
-- merchant's order.
CREATE OR REPLACE FUNCTION draw_pockets(card customers, wanted int, spend "SpendOrder") RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
DECLARE
  change pocket_change;
  lot record;
  open int;
  part int;
  held_bonus int := CASE WHEN card.held > 0 AND card.bonus > 0 THEN held_of_lots(card.id) ELSE 0 END;
  bonus int := card.bonus - held_bonus;
  paid int := card.balance - card.bonus - (card.held - held_bonus);
BEGIN
  change.paid := -CASE spend WHEN 'paid_first' THEN least(paid, wanted) ELSE greatest(0, wanted - bonus) END;
  open := wanted + change.paid;
  change.bonus := -open;
  IF open = 0 THEN RETURN change; END IF;
  FOR lot IN
    SELECT l.id, l.remaining - l.held AS free FROM lots l
    WHERE l.customer_id = card.id AND l.remaining > 0 AND l.remaining > l.held ORDER BY l.ends_at, l.id
  LOOP
    EXIT WHEN open = 0;
    part := least(open, lot.free);
    change.lots := change.lots || lot.id;
    change.lot_points := change.lot_points || -part;
    open := open - part;
  END LOOP;
  RETURN change;
END $$;
