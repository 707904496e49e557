-- Decides one row: a step to write, or only an answer why it is not posted. The caller holds the locks (lock_postings), has
-- read the facts (posting_facts), and has written what this row may look for.
CREATE OR REPLACE FUNCTION post_row(card customers, g posting_facts, clock timestamptz, quiet boolean) RETURNS posting_step
LANGUAGE plpgsql AS $$
DECLARE
  step posting_step;
  r posting_row := g.posting;
  original movements := g.original;
  answer posting_outcome;
  change pocket_change;
  standing uuid;
  api_key api_keys;
  asked record;
  has_ended boolean := false;
  -- Time never runs back for a customer.
  moment timestamptz := greatest(coalesce((g.posting).at, clock), card.last_posted_at);
BEGIN
  step.card := card;
  r.proof := coalesce(r.proof, 'none');
  -- Before anything else is asked.
  IF card.id IS NULL OR r.actor IS NULL OR g.is_known THEN
    step.answer := repeated_posting(r, card.id);
    IF (step.answer).outcome IS NOT NULL THEN RETURN step; END IF;
  END IF;
  answer.idx := r.idx;
  answer.outcome := coalesce(reach_refusal(r, card.merchant_id, g), till_refusal(r, card.merchant_id, g));
  IF r.api_key IS NOT NULL THEN
    SELECT * INTO api_key FROM api_keys k WHERE k.id = r.api_key;
    answer.outcome := coalesce(answer.outcome, key_refusal(api_key, card.merchant_id, g.at_branch));
    g.actor_name := api_key.name;
    g.own_card := card.held_by_staff AND NOT api_key.staff_cards AND r.type IN ('TOP_UP', 'BONUS', 'REFUND');
  END IF;
  IF answer.outcome IS NULL AND r.type = 'REVERSAL' THEN
    SELECT v.id INTO standing FROM movements v WHERE v.reverses_id = original.id;
    IF FOUND THEN
      step.answer := answer_reversal(r, standing);
      RETURN step;
    END IF;
  END IF;
  -- A hold that is there is captured on a blocked or frozen card too.
  answer.outcome := coalesce(answer.outcome,
    card_refusal(r.type, CASE WHEN r.hold IS NULL OR card.status = 'erased' THEN card.status ELSE 'active' END, g));
  IF answer.outcome IS NOT NULL THEN
    step.answer := answer;
    RETURN step;
  END IF;

  -- What ended meanwhile goes first.
  IF card.bonus > 0 THEN
    has_ended := EXISTS (
      SELECT 1 FROM lots l WHERE l.customer_id = card.id AND l.remaining > 0 AND l.remaining > l.held AND l.ends_at <= moment);
  END IF;
  IF card.held > 0 AND NOT has_ended THEN has_ended := EXISTS (SELECT 1 FROM lapsed_holds(card.id, moment)); END IF;
  IF has_ended THEN
    PERFORM expire_locked(ARRAY[card.id], moment, quiet);
    SELECT * INTO card FROM customers c WHERE c.id = card.id;
    step.card := card;
  END IF;

  IF r.hold_call IS NULL THEN
    change := posting_change(r, card, g, moment);
  ELSE
    SELECT * INTO asked FROM hold_change(r, card, g, moment, quiet);
    IF (asked.answer).outcome IS NOT NULL THEN
      SELECT * INTO card FROM customers c WHERE c.id = card.id;
      step.card := card;
      step.answer := asked.answer;
      RETURN step;
    END IF;
    r := asked.r;
    change := asked.change;
  END IF;
  IF change.outcome IS NULL AND g.actor_role = 'branch_worker'
    AND (r.type IN ('TOP_UP', 'REFUND') OR (r.type = 'REDEEM' AND r.proof = 'none' AND r.hold IS NULL)) THEN
    change := count_worker_day(r, change, g, moment);
  END IF;
  IF change.outcome IS NULL AND r.api_key IS NOT NULL AND r.type IN ('TOP_UP', 'BONUS', 'REDEEM') AND r.hold IS NULL THEN
    change := count_key_day(api_key, change, moment);
  END IF;
  IF change.outcome IS NULL AND r.type = 'REDEEM' AND r.proof <> 'none' AND r.hold IS NULL THEN
    change := use_confirmation(r, card.id, change, moment);
  END IF;
  IF change.outcome IS NOT NULL THEN
    answer.outcome := change.outcome;
    answer.allowed := change.allowed;
    answer.balance := card.balance;
    IF change.outcome = 'other_till' THEN
      answer.till_name := (SELECT t.name FROM movements o JOIN tills t ON t.id = o.till_id WHERE o.id = original.id);
    ELSIF change.outcome = 'already_held' THEN
      answer.outcome := 'already_spent';
      answer.hold := (SELECT hold_json(h.id, moment) FROM holds h WHERE h.customer_id = card.id AND h.state = 'open'
        ORDER BY h.created_at DESC, h.id DESC LIMIT 1);
    ELSIF r.hold IS NOT NULL THEN
      answer.hold := hold_json(r.hold, moment);
    END IF;
    step.answer := answer;
    RETURN step;
  END IF;
  step.id := uuidv7();
  IF r.hold_call = 'open' THEN
    step.id := NULL;
    step.answer := write_hold(r, card, g, change, moment);
    SELECT * INTO card FROM customers c WHERE c.id = card.id;
    step.card := card;
    RETURN step;
  ELSIF r.hold_call = 'capture' THEN
    PERFORM write_capture(r, asked.named, change, step.id, moment, quiet);
    SELECT * INTO card FROM customers c WHERE c.id = card.id;
  END IF;
  IF r.type = 'REVERSAL' THEN PERFORM uncount_reversed(original); END IF;
  r.actor_type := coalesce(r.actor_type, 'user');
  r.tender := CASE r.type WHEN 'TOP_UP' THEN coalesce(r.tender, 'cash') END;
  r.occurred := coalesce(r.occurred, moment);
  IF r.type = 'BONUS' THEN
    change.lots := ARRAY[uuidv7()];
    change.lot_points := ARRAY[change.bonus];
  END IF;
  step.posting := r;
  step.facts := g;
  step.change := change;
  step.card := card_after(card, r, original, change, moment);
  step.moment := moment;
  IF r.reason IS NOT NULL THEN step.salt := uuid_send(gen_random_uuid()); END IF;
  RETURN step;
END $$;
