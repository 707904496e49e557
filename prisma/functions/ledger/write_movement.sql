-- Writes a change that was decided: the movement, its texts and lots, the customer's balance and counts, and its line in the
-- outbox. Answers it as posted.
CREATE OR REPLACE FUNCTION write_movement(
  r posting_row, card customers, g record, change pocket_change, moment timestamptz, quiet boolean
) RETURNS posting_outcome LANGUAGE plpgsql AS $$
DECLARE
  o movements := g.original;
  m movements;
  salt bytea;
  given_back boolean := r.type IN ('REVERSAL', 'REFUND');
  points int := change.paid + change.bonus;
  confirmed boolean := r.type = 'REDEEM' AND r.proof <> 'none';
BEGIN
  IF r.reason IS NOT NULL THEN salt := uuid_send(gen_random_uuid()); END IF;
  INSERT INTO movements (id, customer_id, merchant_id, branch_id, actor_type, actor_id, api_key_id, type, points,
    paid_points, bonus_points, balance_after, bonus_after, rate, balance_rate, seq, idempotency_key, request_hash,
    reverses_id, reverses_type, refunds_id, tender, sale_ref, proof, proof_ref, actor_name, branch_name, text_hash,
    tx, occurred_at, created_at, till_id, till_period)
  VALUES (uuidv7(), card.id, card.merchant_id, g.at_branch, coalesce(r.actor_type, 'user'), r.actor, r.api_key, r.type, points,
    change.paid, change.bonus, card.balance + points, card.bonus + change.bonus,
    -- What is given back is given back at what it was worth.
    CASE WHEN given_back THEN o.rate ELSE g.dirhams_per_point END, g.dirhams_per_point,
    card.movement_count + 1, r.key, r.hash,
    r.reverses, CASE r.type WHEN 'REVERSAL' THEN o.type END, r.refunds,
    CASE r.type WHEN 'TOP_UP' THEN coalesce(r.tender, 'cash') END, r.sale_ref,
    CASE WHEN confirmed THEN r.proof::"ProofKind" ELSE 'none' END, CASE WHEN confirmed THEN r.proof_ref END,
    g.actor_name, g.branch_name, sha256(salt || convert_to(r.reason, 'UTF8')),
    posting_tx(), coalesce(r.occurred, moment), moment, r.till, g.till_period)
  -- A key without a user belongs to the customer, whose lock is held: only a user's can be taken meanwhile.
  ON CONFLICT (actor_id, idempotency_key) DO NOTHING
  RETURNING * INTO m;
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = '40001', MESSAGE = 'a key was posted at the same moment';
  END IF;
  IF change.bonus <> 0 THEN PERFORM write_lots(m, change, r.ends_at); END IF;
  IF r.reason IS NOT NULL THEN
    INSERT INTO movement_texts (movement_id, salt, reason) VALUES (m.id, salt, r.reason);
  END IF;
  IF r.type = 'REVERSAL' THEN PERFORM uncount_reversed(o); END IF;
  UPDATE customers c SET balance = m.balance_after, bonus = m.bonus_after, movement_count = m.seq, last_posted_at = moment,
    unproved = redeemed_after(r, card, o, moment),
    unproved_on = CASE WHEN r.type = 'REDEEM' AND NOT confirmed THEN qatar_day(moment) ELSE c.unproved_on END
  WHERE c.id = card.id;
  IF NOT quiet THEN INSERT INTO posting_outbox VALUES (m.id); END IF;
  RETURN posted_outcome(r.idx, 'posted', m, card, r.reason,
    CASE WHEN r.type IN ('TOP_UP', 'REDEEM') THEN moment + g.undo_minutes * interval '1 minute' END, g.till_name);
END $$;
