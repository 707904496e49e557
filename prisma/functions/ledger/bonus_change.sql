-- Points that the shop gives: a new lot, within the limits of a top-up. write_lots makes the lot.
CREATE OR REPLACE FUNCTION bonus_change(r posting_row, card customers, g posting_facts, moment timestamptz) RETURNS pocket_change
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  change pocket_change := top_up_change(r, card, g);
BEGIN
  IF change.outcome IS NOT NULL THEN RETURN change; END IF;
  IF r.ends_at <= moment THEN RETURN refused('bonus_ended'); END IF;
  change.bonus := change.paid;
  change.paid := 0;
  RETURN change;
END $$;
