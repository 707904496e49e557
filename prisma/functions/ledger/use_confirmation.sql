-- Uses up the confirmation of a redemption, and refuses the change if it was used before.
CREATE OR REPLACE FUNCTION use_confirmation(r posting_row, card uuid, change pocket_change, moment timestamptz) RETURNS pocket_change
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO proof_uses (customer_id, reference, used_at) VALUES (card, r.proof_ref, moment) ON CONFLICT DO NOTHING;
  RETURN CASE WHEN FOUND THEN change ELSE refused('proof_invalid') END;
END $$;
