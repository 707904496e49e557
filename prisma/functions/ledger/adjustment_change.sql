-- An adjustment up or down, or an import up: not below zero, and not above the maximum balance.
CREATE OR REPLACE FUNCTION adjustment_change(r posting_row, card customers, g posting_facts) RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF r.points IS NULL OR r.points = 0 OR (r.points < 0 AND r.type = 'IMPORT') THEN RETURN refused('below_minimum', 1); END IF;
  IF r.points < 0 AND card.balance - card.held + r.points < 0 THEN RETURN refused('insufficient_balance'); END IF;
  IF r.points < 0 THEN RETURN draw_pockets(card, -r.points::int, g.spend_order); END IF;
  IF card.balance + r.points > g.max_balance THEN RETURN refused('balance_limit', g.max_balance); END IF;
  RETURN paid_change(r.points);
END $$;
