-- The opposite of a movement, lot by lot.
CREATE OR REPLACE FUNCTION reversal_change(r posting_row, card customers, g posting_facts, moment timestamptz) RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
DECLARE
  original movements := g.original;
  change pocket_change := refused(reversal_refusal(r, g, moment));
  lot record;
  held_paid int := 0;
BEGIN
  IF change.outcome IS NOT NULL THEN RETURN change; END IF;
  change.paid := -original.paid_points;
  change.bonus := -original.bonus_points;
  IF card.held > 0 THEN held_paid := card.held - held_of_lots(card.id); END IF;
  -- Points that are there and held are not taken back either.
  change.outcome := CASE
    WHEN card.balance - card.bonus + change.paid < 0 THEN 'already_spent'
    WHEN change.paid < 0 AND card.balance - card.bonus + change.paid < held_paid THEN 'already_held' END;
  IF original.bonus_points = 0 THEN RETURN change; END IF;
  FOR lot IN
    SELECT l.id, -m.points AS points, l.remaining, l.held, l.ends_at, l.extended
    FROM lot_moves m JOIN lots l ON l.id = m.lot_id WHERE m.movement_id = original.id ORDER BY l.id
  LOOP
    IF lot.remaining + lot.points < 0 THEN change.outcome := 'already_spent';
    ELSIF lot.points < 0 AND lot.remaining + lot.points < lot.held THEN change.outcome := coalesce(change.outcome, 'already_held');
    END IF;
    change.lots := change.lots || lot.id;
    change.lot_points := change.lot_points || lot.points;
    change.lot_ends := change.lot_ends ||
      CASE WHEN lot.points > 0 THEN longer_end(lot.ends_at, lot.extended, moment) END;
  END LOOP;
  RETURN change;
END $$;
