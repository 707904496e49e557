-- Paid points: within the limits of one top-up, and of the balance.
CREATE OR REPLACE FUNCTION top_up_change(r posting_row, card customers, g posting_facts) RETURNS pocket_change
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF r.points IS NULL OR r.points < g.min_top_up THEN RETURN refused('below_minimum', g.min_top_up); END IF;
  IF r.points > g.max_top_up THEN RETURN refused('above_maximum', g.max_top_up); END IF;
  IF card.balance + r.points > g.max_balance THEN RETURN refused('balance_limit', g.max_balance); END IF;
  RETURN paid_change(r.points);
END $$;
