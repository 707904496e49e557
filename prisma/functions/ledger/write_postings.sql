-- Writes rows that were decided: the movements, their texts and lots, the balances of their customers, their events, and their
-- lines in the outbox. Answers them as posted. One statement a table, however many rows: a statement on movements takes longer to begin
-- than to insert a row.
CREATE OR REPLACE FUNCTION write_postings(steps posting_step[], quiet boolean) RETURNS SETOF posting_outcome LANGUAGE plpgsql AS $$
DECLARE
  step posting_step;
  -- Each card as its last row leaves it: the rows of a card follow each other.
  cards customers[] := '{}';
  has_texts boolean := false;
  has_lots boolean := false;
  has_keys boolean := false;
  written int;
BEGIN
  IF cardinality(steps) = 0 THEN RETURN; END IF;
  FOREACH step IN ARRAY steps LOOP
    IF cards[cardinality(cards)].id = (step.card).id THEN cards[cardinality(cards)] := step.card;
    ELSE cards := array_append(cards, step.card);
    END IF;
    has_texts := has_texts OR step.salt IS NOT NULL;
    has_lots := has_lots OR (step.change).bonus <> 0;
    has_keys := has_keys OR (step.posting).api_key IS NOT NULL;
  END LOOP;
  WITH posted AS (
  INSERT INTO movements (id, customer_id, merchant_id, branch_id, actor_type, actor_id, api_key_id, type, points,
    paid_points, bonus_points, balance_after, bonus_after, rate, balance_rate, seq, idempotency_key, request_hash,
    reverses_id, reverses_type, refunds_id, tender, sale_ref, proof, proof_ref, actor_name, branch_name, text_hash,
    tx, occurred_at, created_at, till_id, till_period, hold_id)
  SELECT s.id, c.id, c.merchant_id, g.at_branch, r.actor_type, r.actor, r.api_key, r.type, d.paid + d.bonus,
    d.paid, d.bonus, c.balance, c.bonus,
    g.rate, g.dirhams_per_point, c.movement_count, r.key, r.hash,
    r.reverses, CASE r.type WHEN 'REVERSAL' THEN (g.original).type END, r.refunds,
    r.tender, r.sale_ref,
    CASE r.type WHEN 'REDEEM' THEN r.proof::"ProofKind" ELSE 'none' END,
    CASE WHEN r.type = 'REDEEM' AND r.proof <> 'none' THEN r.proof_ref END,
    g.actor_name, g.branch_name, sha256(s.salt || convert_to(r.reason, 'UTF8')),
    posting_tx(), r.occurred, s.moment, r.till, g.till_period, r.hold
  FROM unnest(steps) s
  CROSS JOIN LATERAL (SELECT (s.posting).*) r CROSS JOIN LATERAL (SELECT (s.facts).*) g
  CROSS JOIN LATERAL (SELECT (s.card).*) c CROSS JOIN LATERAL (SELECT (s.change).*) d
  -- A key without a user belongs to the customer or to the API key, whose lock is held: only a user's can be taken meanwhile.
  ON CONFLICT (uuid_hash_extended(actor_id, hashtextextended(idempotency_key, 0)),
    uuid_hash_extended(actor_id, hashtextextended(idempotency_key, 1))) WHERE actor_id IS NOT NULL DO NOTHING
  RETURNING id, customer_id, merchant_id, branch_id, type, seq, tx, created_at
  ), happened AS (
    -- Each movement is an event. The card's row, as it is before this, knows the events of this transaction that are none.
    INSERT INTO events (merchant_id, branch_id, subject_id, i_seq, type, movement_id, tx, created_at)
    SELECT p.merchant_id, p.branch_id, p.customer_id, c.event_count + p.seq - c.movement_count,
      replace(lower(p.type::text), '_', '') || '.posted', p.id, p.tx, p.created_at
    FROM posted p JOIN customers c ON c.id = p.customer_id WHERE NOT quiet
  ), waiting AS (
    INSERT INTO posting_outbox SELECT p.id FROM posted p WHERE NOT quiet
  )
  SELECT count(*) INTO written FROM posted;
  -- Another transaction posted a key for another customer a moment ago. Nothing is posted, and the caller tries again.
  IF written < cardinality(steps) THEN
    RAISE EXCEPTION USING ERRCODE = '40001', MESSAGE = 'a key was posted at the same moment';
  END IF;
  IF has_texts THEN
    INSERT INTO movement_texts (movement_id, salt, reason)
    SELECT s.id, s.salt, (s.posting).reason FROM unnest(steps) s WHERE s.salt IS NOT NULL;
  END IF;
  IF has_keys THEN
    INSERT INTO used_keys (api_key_id, idempotency_key, request_hash, movement_id)
    SELECT (s.posting).api_key, (s.posting).key, (s.posting).hash, s.id FROM unnest(steps) s WHERE (s.posting).api_key IS NOT NULL;
  END IF;
  IF has_lots THEN PERFORM write_lots(steps); END IF;
  UPDATE customers c SET balance = n.balance, bonus = n.bonus, held = n.held, movement_count = n.movement_count,
    last_posted_at = n.last_posted_at, unproved_on = n.unproved_on, unproved = n.unproved,
    event_count = c.event_count + CASE WHEN quiet THEN 0 ELSE n.movement_count - c.movement_count END
  FROM unnest(cards) n WHERE c.id = n.id;
  RETURN QUERY SELECT r.idx, 'posted', NULL::int, c.balance, s.id, r.type, d.paid + d.bonus, c.balance,
    g.rate, c.movement_count, s.moment, r.reason, r.reverses, c.id, c.public_id, c.full_name, g.at_branch, g.branch_name, r.actor,
    g.actor_name, CASE WHEN r.type IN ('TOP_UP', 'REDEEM') THEN s.moment + g.undo_minutes * interval '1 minute' END,
    r.refunds, d.paid, d.bonus, c.bonus, g.dirhams_per_point, r.tender, r.sale_ref,
    r.occurred, r.actor_type, r.till, g.till_name, c.held, CASE WHEN r.hold IS NOT NULL THEN hold_json(r.hold, s.moment) END
  FROM unnest(steps) s
  CROSS JOIN LATERAL (SELECT (s.posting).*) r CROSS JOIN LATERAL (SELECT (s.facts).*) g
  CROSS JOIN LATERAL (SELECT (s.card).*) c CROSS JOIN LATERAL (SELECT (s.change).*) d;
END $$;
