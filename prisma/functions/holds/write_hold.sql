-- Opens a hold that was decided as a redemption: the points stay on the card, and only its captures take them.
CREATE OR REPLACE FUNCTION write_hold(r posting_row, card customers, g posting_facts, change pocket_change, moment timestamptz)
RETURNS posting_outcome LANGUAGE plpgsql AS $$
DECLARE
  h holds;
  answer posting_outcome;
  points int := -(change.paid + change.bonus);
  is_bare boolean := r.proof = 'none';
BEGIN
  INSERT INTO holds (customer_id, merchant_id, branch_id, actor_id, api_key_id, idempotency_key, points, paid, sale_ref,
    proof, proof_ref, unproved_on, created_at, expires_at)
  VALUES (card.id, card.merchant_id, g.at_branch, r.actor, r.api_key, r.key, points, -change.paid, r.sale_ref,
    r.proof::"ProofKind", CASE WHEN NOT is_bare THEN r.proof_ref END, CASE WHEN is_bare THEN qatar_day(moment) END, moment,
    moment + r.seconds * interval '1 second')
  RETURNING * INTO h;
  IF change.bonus <> 0 THEN
    INSERT INTO hold_lots (hold_id, lot_id, points)
    SELECT h.id, n.lot, -n.points FROM unnest(change.lots, change.lot_points) AS n(lot, points);
    UPDATE lots l SET held = l.held - n.points FROM unnest(change.lots, change.lot_points) AS n(lot, points) WHERE l.id = n.lot;
  END IF;
  UPDATE customers c SET held = c.held + points,
    unproved = CASE WHEN is_bare THEN redeemed_today(card, moment) + points ELSE c.unproved END,
    unproved_on = CASE WHEN is_bare THEN qatar_day(moment) ELSE c.unproved_on END
  WHERE c.id = card.id;
  PERFORM use_hold_key(r, h.id);
  PERFORM audit_hold(h, 'hold.opened', r.actor, r.api_key);
  PERFORM tell_hold(h.id, 'hold.opened', moment);
  answer.idx := r.idx;
  answer.outcome := 'posted';
  answer.hold := hold_json(h.id, moment);
  RETURN answer;
END $$;
