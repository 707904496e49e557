-- The card once the change is posted. What it redeemed without a confirmation on the day in `unproved_on` grows with a
-- redemption (see redeemed_today), and shrinks when one of that day is reversed.
CREATE OR REPLACE FUNCTION card_after(card customers, r posting_row, original movements, change pocket_change, moment timestamptz)
RETURNS customers LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF r.hold IS NOT NULL THEN
    -- The hold counted when it was opened.
    card.held := card.held + change.paid + change.bonus;
  ELSIF r.type = 'REDEEM' AND r.proof = 'none' THEN
    card.unproved := redeemed_today(card, moment) + r.points;
    card.unproved_on := qatar_day(moment);
  ELSIF r.type = 'REVERSAL' AND original.type = 'REDEEM' AND original.proof = 'none'
    AND (CASE WHEN original.hold_id IS NULL THEN qatar_day(original.created_at) ELSE unproved_day(original.hold_id) END)
      = card.unproved_on THEN
    card.unproved := card.unproved + original.points;
  END IF;
  card.balance := card.balance + change.paid + change.bonus;
  card.bonus := card.bonus + change.bonus;
  card.movement_count := card.movement_count + 1;
  card.last_posted_at := moment;
  RETURN card;
END $$;
