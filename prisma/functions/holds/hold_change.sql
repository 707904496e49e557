-- Decides a call of a hold, or answers it where it posts nothing. `named` is the hold that the row names.
CREATE OR REPLACE FUNCTION hold_change(INOUT r posting_row, card customers, g posting_facts, moment timestamptz, quiet boolean,
  OUT named holds, OUT change pocket_change, OUT answer posting_outcome) LANGUAGE plpgsql AS $$
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
  SELECT * INTO named FROM holds h WHERE h.id = r.hold AND h.customer_id = card.id;
  IF named.id IS NULL THEN change := refused('not_found'); RETURN; END IF;
  -- What a key reserved is its merchant's keys': at the counter the card's holder releases it.
  IF named.api_key_id IS NOT NULL AND r.api_key IS NULL AND r.hold_call <> 'release' THEN
    change := refused('hold_forbidden');
    RETURN;
  END IF;
  IF r.hold_call <> 'capture' THEN
    answer := change_hold(r, named, moment, quiet);
    RETURN;
  END IF;
  IF named.state = 'captured' AND (r.points IS NULL OR (r.points = named.points AND named.captured = named.points)) THEN
    SELECT m.id INTO first FROM movements m WHERE m.hold_id = named.id ORDER BY m.seq DESC LIMIT 1;
    answer := answer_reversal(r, first);
    RETURN;
  END IF;
  change := capture_change(r, g, named);
  r.proof := named.proof;
  r.proof_ref := named.proof_ref;
  r.sale_ref := coalesce(r.sale_ref, named.sale_ref);
END $$;
