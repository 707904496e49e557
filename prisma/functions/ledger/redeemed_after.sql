-- What the customer redeemed without a confirmation on the day in card.unproved_on, once this row is posted: a redemption
-- adds to it (see redeemed_today), and a reversal on the same day takes off what it undoes.
CREATE OR REPLACE FUNCTION redeemed_after(r posting_row, card customers, o movements, moment timestamptz) RETURNS int
LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN r.type = 'REDEEM' AND r.proof = 'none' THEN redeemed_today(card, moment) + r.points::int
    WHEN r.type = 'REVERSAL' AND o.type = 'REDEEM' AND o.proof = 'none' AND qatar_day(o.created_at) = card.unproved_on
      THEN card.unproved + o.points
    ELSE card.unproved
  END
$$;
