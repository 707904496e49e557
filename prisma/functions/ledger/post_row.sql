-- Posts one row, or answers why not. `skip`: a customer whom another transaction has locked is answered busy.
CREATE OR REPLACE FUNCTION post_row(r posting_row, quiet boolean, skip boolean) RETURNS posting_outcome LANGUAGE plpgsql AS $$
DECLARE
  a posting_outcome;
  o movements;
  c record;
  g record;
  change pocket_change;
  moment timestamptz;
  today date;
  kind "ActorType" := coalesce(r.actor_type, 'user');
  given_back boolean := r.type IN ('REVERSAL', 'REFUND');
  at_branch uuid := r.branch;
  card uuid := r.customer;
  used int := 0;
  used_on date;
  salt bytea;
  -- What counts in a worker's day.
  added int := 0;
  bare int := 0;
  standing uuid;
  t tills;
BEGIN
  a.idx := r.idx;
  r.proof := coalesce(r.proof, 'none');
  IF given_back THEN
    SELECT * INTO o FROM movements m WHERE m.id = CASE r.type WHEN 'REFUND' THEN r.refunds ELSE r.reverses END;
    card := o.customer_id;
    at_branch := coalesce(o.branch_id, r.branch);
  END IF;
  IF skip THEN
    SELECT id, public_id, merchant_id, full_name, email, phone, status, balance, bonus, movement_count, last_posted_at,
      unproved_on, unproved INTO c FROM customers WHERE id = card FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND AND NOT given_back THEN
      SELECT id, public_id, merchant_id, full_name, email, phone, status, balance, bonus, movement_count,
        last_posted_at, unproved_on, unproved INTO c FROM customers WHERE public_id = card FOR NO KEY UPDATE SKIP LOCKED;
    END IF;
    IF NOT FOUND AND EXISTS (SELECT 1 FROM customers s WHERE s.id = card OR s.public_id = card) THEN
      a.outcome := 'busy';
      RETURN a;
    END IF;
  ELSE
    SELECT id, public_id, merchant_id, full_name, email, phone, status, balance, bonus, movement_count, last_posted_at,
      unproved_on, unproved INTO c FROM customers WHERE id = card FOR NO KEY UPDATE;
    IF NOT FOUND AND NOT given_back THEN
      SELECT id, public_id, merchant_id, full_name, email, phone, status, balance, bonus, movement_count,
        last_posted_at, unproved_on, unproved INTO c FROM customers WHERE public_id = card FOR NO KEY UPDATE;
    END IF;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(posting_lock()), pg_advisory_xact_lock_shared(merchant_lock(c.merchant_id));
  -- The customer is held, so this reversal stays or does not come. If it is there, the key is used up as its answer: nobody
  -- else may be posting under it. The lock is taken here, because an employee's day is locked after all keys.
  IF r.type = 'REVERSAL' THEN SELECT v.id INTO standing FROM movements v WHERE v.reverses_id = o.id; END IF;
  IF standing IS NULL THEN PERFORM pg_advisory_xact_lock_shared(key_lock(r.actor, r.key));
  ELSE PERFORM pg_advisory_xact_lock(key_lock(r.actor, r.key));
  END IF;
  a.balance := c.balance;
  -- Held from before its period is read until the commit: a close waits for this posting, or this posting for the close.
  IF r.till IS NOT NULL THEN SELECT * INTO t FROM tills l WHERE l.id = r.till FOR KEY SHARE; END IF;
  -- Time never runs back for a customer.
  moment := greatest(coalesce(r.at, clock_timestamp()), c.last_posted_at);

  SELECT s.status AS merchant_status, s.suspended_at, s.redeem_allowance, s.spend_order, s.refund_days,
    s.unproved_worker_daily, s.till_required, p.dirhams_per_point, p.min_top_up, p.max_top_up, p.max_balance, p.undo_minutes,
    CASE WHEN p.merchant_id IS NULL AND p.worker_daily_cap IS NULL THEN s.worker_daily_cap ELSE p.worker_daily_cap END
      AS worker_daily_cap,
    b.name AS branch_name, b.merchant_id AS branch_merchant, b.archived_at,
    u.role AS actor_role, u.email AS actor_email, u.phone AS actor_phone,
    u.first_name || ' ' || u.last_name AS actor_name, v.email AS resolver_email, v.phone AS resolver_phone,
    k.id AS earlier, n.movement_id AS answered,
    EXISTS (
      SELECT 1 FROM staff_contacts h WHERE h.user_id IN (r.actor, r.resolver)
        AND h.hash = sha256(h.salt || convert_to(CASE h.kind WHEN 'email' THEN c.email ELSE c.phone END, 'UTF8'))
    ) AS had_contact
  INTO g
  FROM merchants s
  CROSS JOIN LATERAL points_config_in_force(s.id) p
  LEFT JOIN branches b ON b.id = at_branch
  LEFT JOIN users u ON u.id = r.actor
  LEFT JOIN users v ON v.id = r.resolver
  LEFT JOIN movements k ON k.actor_id = r.actor AND k.idempotency_key = r.key
  LEFT JOIN answered_keys n ON n.actor_id = r.actor AND n.idempotency_key = r.key
  WHERE s.id = c.merchant_id;
  -- Before anything else is asked.
  IF c.id IS NULL OR r.actor IS NULL OR g.earlier IS NOT NULL OR g.answered IS NOT NULL THEN
    a := repeated_posting(r, c.id);
    IF a.outcome IS NOT NULL THEN RETURN a; END IF;
    a.idx := r.idx;
    a.balance := c.balance;
  END IF;

  IF kind <> 'user' OR given_back OR r.scope = 'own' OR r.type NOT IN ('TOP_UP', 'REDEEM', 'BONUS') THEN
    a.outcome := reach_refusal(r, o, c.merchant_id, at_branch, g);
  ELSE
    a.outcome := CASE
      WHEN c.id IS NULL OR g.actor_role IS NULL OR (r.scope <> 'any' AND c.merchant_id IS DISTINCT FROM r.scope_merchant)
        THEN 'not_found'
      WHEN r.named_merchant <> c.merchant_id OR g.branch_merchant IS DISTINCT FROM c.merchant_id
        OR g.archived_at IS NOT NULL THEN 'branch_mismatch'
    END;
  END IF;
  IF a.outcome IS NULL THEN
    a.outcome := CASE
      WHEN r.till IS NULL THEN CASE WHEN g.till_required AND g.actor_role = 'branch_worker' THEN 'till_required' END
      WHEN t.merchant_id IS DISTINCT FROM c.merchant_id THEN 'branch_mismatch'
      WHEN t.retired_at IS NOT NULL AND r.late IS NOT TRUE THEN 'till_retired'
    END;
  END IF;
  IF a.outcome IS NOT NULL THEN
    a.balance := NULL;
    RETURN a;
  END IF;
  IF standing IS NOT NULL THEN
    -- The key is used up, as if this request had posted the reversal.
    IF r.actor IS NOT NULL THEN
      INSERT INTO answered_keys (actor_id, idempotency_key, request_hash, movement_id)
      VALUES (r.actor, r.key, r.hash, standing);
    END IF;
    RETURN movement_outcome(r.idx, 'replayed', standing);
  END IF;
  -- An adjustment settles a card that no longer moves.
  IF c.status <> 'active' OR g.merchant_status <> 'approved' OR g.suspended_at IS NOT NULL THEN
    a.outcome := CASE
      WHEN c.status = 'erased' THEN 'customer_erased'
      WHEN r.type = 'ADJUSTMENT' THEN NULL
      WHEN g.merchant_status <> 'approved' OR g.suspended_at IS NOT NULL THEN 'merchant_unavailable'
      WHEN c.status = 'blocked' THEN 'customer_blocked'
      ELSE 'customer_frozen'
    END;
    IF a.outcome IS NOT NULL THEN
      a.balance := NULL;
      RETURN a;
    END IF;
  END IF;

  -- What ended meanwhile goes first.
  IF c.bonus > 0 AND EXISTS (
    SELECT 1 FROM lots l WHERE l.customer_id = c.id AND l.remaining > 0 AND l.ends_at <= moment
  ) THEN
    PERFORM expire_locked(ARRAY[c.id], moment, quiet);
    SELECT id, public_id, merchant_id, full_name, email, phone, status, balance, bonus, movement_count, last_posted_at,
      unproved_on, unproved INTO c FROM customers WHERE id = c.id;
    a.balance := c.balance;
  END IF;

  IF r.type IN ('TOP_UP', 'REDEEM', 'BONUS', 'REVERSAL', 'REFUND')
    AND (g.actor_email = c.email OR g.actor_phone = c.phone OR g.resolver_email = c.email OR g.resolver_phone = c.phone
      OR g.had_contact) THEN
    a.outcome := 'own_card';
  ELSIF given_back THEN
    change := original_refusal(r, o, moment, g);
    IF change.outcome IS NULL AND r.type = 'REFUND' THEN
      change := refund_change(o, r.points, moment);
    ELSIF change.outcome IS NULL THEN
      change := reversal_change(o, c.balance - c.bonus, moment);
    END IF;
    a.outcome := change.outcome;
    a.allowed := change.allowed;
    IF a.outcome = 'other_till' THEN a.till_name := (SELECT l.name FROM tills l WHERE l.id = o.till_id); END IF;
  ELSIF r.points IS NULL OR r.points = 0 OR (r.points < 0 AND r.type <> 'ADJUSTMENT')
    OR (r.type IN ('TOP_UP', 'BONUS') AND r.points < g.min_top_up) THEN
    a.outcome := 'below_minimum';
    a.allowed := CASE WHEN r.type IN ('TOP_UP', 'BONUS') THEN g.min_top_up ELSE 1 END;
  ELSIF r.type IN ('TOP_UP', 'BONUS') AND r.points > g.max_top_up THEN
    a.outcome := 'above_maximum';
    a.allowed := g.max_top_up;
  ELSIF r.type = 'REDEEM' THEN
    IF r.points > c.balance THEN
      a.outcome := 'insufficient_balance';
    ELSIF r.proof = 'invalid' THEN
      a.outcome := 'proof_invalid';
    ELSIF r.proof = 'none' THEN
      today := (moment AT TIME ZONE 'Asia/Qatar')::date;
      IF c.unproved_on = today THEN used := c.unproved; END IF;
      IF used + r.points > g.redeem_allowance THEN
        a.outcome := 'proof_required';
        a.allowed := g.redeem_allowance;
      END IF;
    END IF;
  ELSIF c.balance + r.points < 0 THEN
    a.outcome := 'insufficient_balance';
  ELSIF r.points > 0 AND c.balance + r.points > g.max_balance THEN
    a.outcome := 'balance_limit';
    a.allowed := g.max_balance;
  ELSIF r.type = 'BONUS' AND r.ends_at <= moment THEN
    a.outcome := 'bonus_ended';
  END IF;
  IF a.outcome IS NOT NULL THEN RETURN a; END IF;

  -- A worker's limits span customers: the row of the worker's day decides.
  IF g.actor_role = 'branch_worker' AND (r.type IN ('TOP_UP', 'REFUND') OR (r.type = 'REDEEM' AND r.proof = 'none')) THEN
    today := (moment AT TIME ZONE 'Asia/Qatar')::date;
    IF r.type = 'REDEEM' THEN bare := r.points;
    ELSE added := CASE r.type WHEN 'TOP_UP' THEN r.points ELSE change.paid + change.bonus END;
    END IF;
    INSERT INTO worker_days AS w (user_id, day, topped_up, unproved)
    SELECT r.actor, today, added, bare
    WHERE CASE WHEN added > 0 THEN g.worker_daily_cap IS NULL OR added <= g.worker_daily_cap
      ELSE bare <= g.unproved_worker_daily END
    ON CONFLICT (user_id, day) DO UPDATE SET topped_up = w.topped_up + added, unproved = w.unproved + bare
    WHERE CASE WHEN added > 0 THEN g.worker_daily_cap IS NULL OR w.topped_up + added <= g.worker_daily_cap
      ELSE w.unproved + bare <= g.unproved_worker_daily END;
    IF NOT FOUND THEN
      a.outcome := CASE WHEN added > 0 THEN 'daily_cap' ELSE 'worker_proof_required' END;
      a.allowed := CASE WHEN added > 0 THEN g.worker_daily_cap ELSE g.unproved_worker_daily END;
      RETURN a;
    END IF;
  END IF;

  IF r.type = 'REDEEM' AND r.proof <> 'none' THEN
    INSERT INTO proof_uses (customer_id, reference, used_at) VALUES (c.id, r.proof_ref, moment) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      a.outcome := 'proof_invalid';
      RETURN a;
    END IF;
  END IF;

  a.movement_id := uuidv7();
  IF NOT given_back THEN
    a.points := CASE r.type WHEN 'REDEEM' THEN -r.points ELSE r.points END;
    IF a.points < 0 AND c.bonus > 0 THEN
      change := draw_pockets(c.id, c.balance - c.bonus, -a.points, g.spend_order);
    ELSIF r.type = 'BONUS' THEN
      change := ROW(NULL, NULL, 0, a.points, ARRAY[a.movement_id], ARRAY[a.points], NULL)::pocket_change;
    ELSE
      change.paid := a.points;
      change.bonus := 0;
    END IF;
  ELSE
    a.points := change.paid + change.bonus;
  END IF;
  IF r.reason IS NOT NULL THEN salt := uuid_send(gen_random_uuid()); END IF;
  a.balance_after := c.balance + a.points;
  a.bonus_after := c.bonus + change.bonus;
  a.seq := c.movement_count + 1;
  a.balance_rate := g.dirhams_per_point;
  -- What is given back is given back at what it was worth.
  a.rate := CASE WHEN given_back THEN o.rate ELSE g.dirhams_per_point END;
  a.occurred_at := coalesce(r.occurred, moment);
  a.tender := CASE r.type WHEN 'TOP_UP' THEN coalesce(r.tender, 'cash') END;

  INSERT INTO movements (id, customer_id, merchant_id, branch_id, actor_type, actor_id, api_key_id, type, points,
    paid_points, bonus_points, balance_after, bonus_after, rate, balance_rate, seq, idempotency_key, request_hash,
    reverses_id, reverses_type, refunds_id, tender, sale_ref, proof, proof_ref, actor_name, branch_name, text_hash,
    tx, occurred_at, created_at, till_id, till_period)
  VALUES (a.movement_id, c.id, c.merchant_id, at_branch, kind, r.actor, r.api_key, r.type, a.points,
    change.paid, change.bonus, a.balance_after, a.bonus_after, a.rate, a.balance_rate, a.seq, r.key, r.hash,
    r.reverses, CASE r.type WHEN 'REVERSAL' THEN o.type END, r.refunds, a.tender, r.sale_ref,
    CASE r.type WHEN 'REDEEM' THEN r.proof::"ProofKind" ELSE 'none' END,
    CASE WHEN r.type = 'REDEEM' AND r.proof <> 'none' THEN r.proof_ref END,
    g.actor_name, g.branch_name, sha256(salt || convert_to(r.reason, 'UTF8')), posting_tx(), a.occurred_at, moment,
    t.id, t.period)
  -- A key without a user belongs to the customer, whose lock is held: only a user's can be taken meanwhile.
  ON CONFLICT (actor_id, idempotency_key) DO NOTHING;
  -- Another transaction posted the same key for another customer a moment ago.
  IF NOT FOUND THEN
    IF r.type = 'REDEEM' AND r.proof <> 'none' THEN
      DELETE FROM proof_uses WHERE customer_id = c.id AND reference = r.proof_ref;
    END IF;
    IF added + bare > 0 THEN
      UPDATE worker_days SET topped_up = topped_up - added, unproved = unproved - bare
      WHERE user_id = r.actor AND day = today;
    END IF;
    RETURN repeated_posting(r, c.id);
  END IF;
  IF r.type = 'BONUS' THEN
    INSERT INTO lots (id, customer_id, merchant_id, points, remaining, ends_at, granted_ends_at)
    VALUES (a.movement_id, c.id, c.merchant_id, a.points, a.points, r.ends_at, r.ends_at);
  ELSIF change.bonus <> 0 THEN
    UPDATE lots l SET remaining = l.remaining + n.points, ends_at = coalesce(n.ends, l.ends_at),
      extended = l.extended OR n.ends IS NOT NULL
    FROM unnest(change.lots, change.lot_points, change.lot_ends) AS n(lot, points, ends) WHERE l.id = n.lot;
  END IF;
  IF change.bonus <> 0 THEN
    INSERT INTO lot_moves (movement_id, lot_id, points, extended_to)
    SELECT a.movement_id, n.lot, n.points, n.ends
    FROM unnest(change.lots, change.lot_points, change.lot_ends) AS n(lot, points, ends);
  END IF;
  IF r.reason IS NOT NULL THEN
    INSERT INTO movement_texts (movement_id, salt, reason) VALUES (a.movement_id, salt, r.reason);
  END IF;

  used_on := c.unproved_on;
  IF r.type = 'REDEEM' AND r.proof = 'none' THEN
    used_on := today;
    used := used + r.points;
  ELSE
    used := c.unproved;
    IF o.type = 'REDEEM' AND r.type = 'REVERSAL' AND o.proof = 'none'
      AND (o.created_at AT TIME ZONE 'Asia/Qatar')::date = used_on THEN
      used := used + o.points;
    END IF;
    -- What is undone no longer counts in the day of the worker who did it.
    IF r.type = 'REVERSAL' AND (o.type IN ('TOP_UP', 'REFUND') OR (o.type = 'REDEEM' AND o.proof = 'none')) THEN
      UPDATE worker_days SET topped_up = topped_up - greatest(o.points, 0), unproved = unproved + least(o.points, 0)
      WHERE user_id = o.actor_id AND day = (o.created_at AT TIME ZONE 'Asia/Qatar')::date;
    END IF;
  END IF;
  UPDATE customers SET balance = a.balance_after, bonus = a.bonus_after, movement_count = a.seq,
    last_posted_at = moment, unproved_on = used_on, unproved = used WHERE id = c.id;
  IF NOT quiet THEN INSERT INTO posting_outbox VALUES (a.movement_id); END IF;

  a.outcome := 'posted';
  a.balance := a.balance_after;
  a.type := r.type;
  a.created_at := moment;
  a.reason := r.reason;
  a.reverses_id := r.reverses;
  a.refunds_id := r.refunds;
  a.paid_points := change.paid;
  a.bonus_points := change.bonus;
  a.sale_ref := r.sale_ref;
  a.customer_id := c.id;
  a.public_id := c.public_id;
  a.full_name := c.full_name;
  a.branch_id := at_branch;
  a.branch_name := g.branch_name;
  a.actor_type := kind;
  a.actor_id := r.actor;
  a.actor_name := g.actor_name;
  a.till_id := t.id;
  a.till_name := t.name;
  a.undo_until := CASE WHEN r.type IN ('TOP_UP', 'REDEEM') THEN moment + g.undo_minutes * interval '1 minute' END;
  RETURN a;
END $$;
