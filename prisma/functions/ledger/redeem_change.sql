-- A redemption: no more than what no hold reserves and, without a confirmation, than the customer's redemption limit of the day.
CREATE OR REPLACE FUNCTION redeem_change(r posting_row, card customers, g posting_facts, moment timestamptz) RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF r.points IS NULL OR r.points < 1 THEN RETURN refused('below_minimum', 1); END IF;
  IF r.points > card.balance - card.held THEN RETURN refused('insufficient_balance'); END IF;
  IF r.proof = 'invalid' THEN RETURN refused('proof_invalid'); END IF;
  IF r.proof = 'none' AND redeemed_today(card, moment) + r.points > g.redeem_allowance THEN
    RETURN refused('proof_required', g.redeem_allowance);
  END IF;
  RETURN draw_pockets(card, r.points::int, g.spend_order);
END $$;
