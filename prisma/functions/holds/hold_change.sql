-- Decides a call of a hold, or answers it where it posts nothing. `found` is the hold that the row names.
CREATE OR REPLACE FUNCTION hold_change(INOUT r posting_row, card customers, g posting_facts, moment timestamptz, quiet boolean,
  OUT found holds, OUT change pocket_change, OUT answer posting_outcome) LANGUAGE plpgsql AS $$
DECLARE
  first uuid;
BEGIN
  IF r.hold_call = 'open' THEN
    IF r.up_to THEN
      r.points := least(r.points, card.balance - card.held);
      IF r.points < 1 THEN change := refused('insufficient_balance'); RETURN; END IF;
    END IF;
    change := open_refusal(r, card, moment);
    IF change.outcome IS NULL THEN change := posting_change(r, card, g, moment); END IF;
    RETURN;
  END IF;
  SELECT * INTO found FROM holds h WHERE h.id = r.hold AND h.customer_id = card.id;
  IF found.id IS NULL THEN change := refused('not_found'); RETURN; END IF;
  -- What a key reserved is its merchant's keys': at the counter the card's holder releases it.
  IF found.api_key_id IS NOT NULL AND r.api_key IS NULL AND r.hold_call <> 'release' THEN
    change := refused('hold_forbidden');
    RETURN;
  END IF;
  IF r.hold_call <> 'capture' THEN
    answer := change_hold(r, found, moment, quiet);
    RETURN;
  END IF;
  IF found.state = 'captured' AND (r.points IS NULL OR (r.points = found.points AND found.captured = found.points)) THEN
    SELECT m.id INTO first FROM movements m WHERE m.hold_id = found.id ORDER BY m.seq DESC LIMIT 1;
    answer := answer_reversal(r, first);
    RETURN;
  END IF;
  change := capture_change(r, g, found);
  r.proof := found.proof;
  r.proof_ref := found.proof_ref;
  r.sale_ref := coalesce(r.sale_ref, found.sale_ref);
END $$;
