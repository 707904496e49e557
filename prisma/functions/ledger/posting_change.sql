-- What a row changes in the customer's pockets, or why not, by the rules of its type.
CREATE OR REPLACE FUNCTION posting_change(r posting_row, card customers, g posting_facts, moment timestamptz) RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF g.own_card AND r.type NOT IN ('IMPORT', 'ADJUSTMENT') THEN RETURN refused('own_card'); END IF;
  CASE r.type
    WHEN 'TOP_UP' THEN RETURN top_up_change(r, card, g);
    WHEN 'REDEEM' THEN RETURN redeem_change(r, card, g, moment);
    WHEN 'BONUS' THEN RETURN bonus_change(r, card, g, moment);
    WHEN 'REVERSAL' THEN RETURN reversal_change(r, card, g, moment);
    WHEN 'REFUND' THEN RETURN refund_change(r, g, moment);
    ELSE RETURN adjustment_change(r, card, g);
  END CASE;
END $$;
