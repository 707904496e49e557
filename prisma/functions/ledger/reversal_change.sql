-- The opposite of a movement, lot by lot.
CREATE OR REPLACE FUNCTION reversal_change(r posting_row, card customers, g posting_facts, moment timestamptz) RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
DECLARE
  original movements := g.original;
  change pocket_change := refused(reversal_refusal(r, g, moment));
  lot record;
BEGIN
  IF change.outcome IS NOT NULL THEN RETURN change; END IF;
  change.paid := -original.paid_points;
  change.bonus := -original.bonus_points;
  IF card.balance - card.bonus + change.paid < 0 THEN change.outcome := 'already_spent'; END IF;
  IF original.bonus_points = 0 THEN RETURN change; END IF;
  FOR lot IN
    SELECT l.id, -m.points AS points, l.remaining, l.ends_at, l.extended
    FROM lot_moves m JOIN lots l ON l.id = m.lot_id WHERE m.movement_id = original.id ORDER BY l.id
  LOOP
    IF lot.remaining + lot.points < 0 THEN change.outcome := 'already_spent'; END IF;
    change.lots := change.lots || lot.id;
    change.lot_points := change.lot_points || lot.points;
    change.lot_ends := change.lot_ends ||
      CASE WHEN lot.points > 0 THEN longer_end(lot.ends_at, lot.extended, moment) END;
  END LOOP;
  RETURN change;
END $$;
