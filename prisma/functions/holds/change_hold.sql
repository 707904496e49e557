-- Voids, releases or extends a hold of a card that the caller has locked. A hold that is voided is answered as it is.
CREATE OR REPLACE FUNCTION change_hold(r posting_row, h holds, moment timestamptz, quiet boolean) RETURNS posting_outcome
LANGUAGE plpgsql AS $$
DECLARE
  answer posting_outcome;
  longest int := hold_longest(h.api_key_id);
BEGIN
  answer.idx := r.idx;
  answer.outcome := CASE
    WHEN r.hold_call = 'release' AND h.api_key_id IS NULL THEN 'hold_forbidden'
    WHEN r.hold_call = 'extend' AND h.state <> 'open' THEN 'hold_closed'
    WHEN r.hold_call = 'extend' AND h.extended THEN 'hold_extended'
    WHEN r.hold_call = 'extend' AND r.seconds > longest THEN 'hold_too_long'
    WHEN h.state NOT IN ('open', 'voided') THEN 'hold_closed'
  END;
  IF answer.outcome IS NULL AND r.hold_call = 'release' AND h.state = 'open' THEN
    IF r.proof = 'live_code' THEN
      INSERT INTO proof_uses (customer_id, reference, used_at) VALUES (h.customer_id, r.proof_ref, moment) ON CONFLICT DO NOTHING;
    END IF;
    IF r.proof <> 'live_code' OR NOT FOUND THEN answer.outcome := 'proof_invalid'; END IF;
  END IF;
  IF answer.outcome IS NOT NULL THEN
    answer.allowed := CASE answer.outcome WHEN 'hold_too_long' THEN longest END;
    answer.hold := hold_json(h.id, moment);
    RETURN answer;
  END IF;
  IF r.hold_call = 'extend' THEN
    UPDATE holds SET extended = true,
      expires_at = least(moment + r.seconds * interval '1 second', greatest(expires_at, created_at + longest * interval '1 second'))
    WHERE id = h.id;
    PERFORM tell_hold(h.id, 'hold.extended', moment);
  ELSIF h.state = 'open' THEN
    PERFORM end_hold(h, 'voided', CASE r.hold_call WHEN 'release' THEN 'taken_at_counter' WHEN 'undo' THEN 'lost_answer' END,
      r.reason, moment);
    PERFORM audit_hold(h, CASE r.hold_call WHEN 'release' THEN 'hold.released' ELSE 'hold.voided' END, r.actor, r.api_key);
    PERFORM tell_hold(h.id, 'hold.voided', moment);
    PERFORM expire_locked(ARRAY[h.customer_id], moment, quiet);
  END IF;
  PERFORM use_hold_key(r, h.id);
  answer.outcome := 'posted';
  answer.hold := hold_json(h.id, moment);
  RETURN answer;
END $$;
