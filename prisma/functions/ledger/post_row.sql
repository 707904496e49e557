-- Posts one row, or answers why not. The caller holds the locks (lock_postings) and has read the facts (posting_facts).
CREATE OR REPLACE FUNCTION post_row(r posting_row, card customers, g record, clock timestamptz, quiet boolean) RETURNS posting_outcome
LANGUAGE plpgsql AS $$
DECLARE
  answer posting_outcome;
  change pocket_change;
  standing uuid;
  -- Time never runs back for a customer.
  moment timestamptz := greatest(coalesce(r.at, clock), card.last_posted_at);
BEGIN
  r.proof := coalesce(r.proof, 'none');
  -- Before anything else is asked.
  IF card.id IS NULL OR r.actor IS NULL OR g.is_known THEN
    answer := repeated_posting(r, card.id);
    IF answer.outcome IS NOT NULL THEN RETURN answer; END IF;
  END IF;
  answer.idx := r.idx;
  answer.outcome := coalesce(reach_refusal(r, card.merchant_id, g), till_refusal(r, card.merchant_id, g));
  IF answer.outcome IS NOT NULL THEN RETURN answer; END IF;
  IF r.type = 'REVERSAL' THEN
    SELECT v.id INTO standing FROM movements v WHERE v.reverses_id = g.original_id;
    IF FOUND THEN RETURN answer_reversal(r, standing); END IF;
  END IF;
  answer.outcome := card_refusal(r.type, card.status, g);
  IF answer.outcome IS NOT NULL THEN RETURN answer; END IF;

  -- What ended meanwhile goes first.
  IF card.bonus > 0 AND EXISTS (
    SELECT 1 FROM lots l WHERE l.customer_id = card.id AND l.remaining > 0 AND l.ends_at <= moment
  ) THEN
    PERFORM expire_locked(ARRAY[card.id], moment, quiet);
    SELECT * INTO card FROM customers c WHERE c.id = card.id;
  END IF;

  change := posting_change(r, card, g, moment);
  IF change.outcome IS NULL AND g.actor_role = 'branch_worker'
    AND (r.type IN ('TOP_UP', 'REFUND') OR (r.type = 'REDEEM' AND r.proof = 'none')) THEN
    change := count_worker_day(r, change, g, moment);
  END IF;
  IF change.outcome IS NULL AND r.type = 'REDEEM' AND r.proof <> 'none' THEN
    change := use_confirmation(r, card.id, change, moment);
  END IF;
  IF change.outcome IS NULL THEN RETURN write_movement(r, card, g, change, moment, quiet); END IF;
  answer.outcome := change.outcome;
  answer.allowed := change.allowed;
  answer.balance := card.balance;
  IF change.outcome = 'other_till' THEN
    answer.till_name := (SELECT t.name FROM movements o JOIN tills t ON t.id = o.till_id WHERE o.id = g.original_id);
  END IF;
  RETURN answer;
END $$;
