-- Posting: one answer a key, cards that staff held before, and what a worker does in a day.

-- Requests that post under a key hold its lock shared; the one that is answered by what stands already, and so inserts
-- no movement that the key's index could refuse, takes it alone and looks again. Of 1,024, so that a long batch holds no
-- more than that.
CREATE FUNCTION key_lock(actor uuid, key text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
  $$SELECT 7203115000 + (hashtextextended(actor::text || ' ' || key, 0) & 1023)$$;

-- Posts the EXPIRYs due for one customer, none while the merchant is suspended; answers how many.
CREATE FUNCTION expire_bonus_of(customer uuid, quiet boolean DEFAULT false, clock timestamptz DEFAULT clock_timestamp())
RETURNS int LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET wallet.posting = 'post' SET lock_timeout = '10s' AS $$
BEGIN
  PERFORM 1 FROM customers c WHERE c.id = customer FOR NO KEY UPDATE;
  PERFORM pg_advisory_xact_lock_shared(posting_lock());
  RETURN expire_locked(ARRAY[customer], clock, quiet);
END $$;

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
  PERFORM pg_advisory_xact_lock_shared(posting_lock()), pg_advisory_xact_lock_shared(key_lock(r.actor, r.key));
  a.balance := c.balance;
  -- Time never runs back for a customer.
  moment := greatest(coalesce(r.at, clock_timestamp()), c.last_posted_at);

  SELECT s.status AS merchant_status, s.suspended_at, s.redeem_allowance, s.spend_order, s.refund_days,
    s.unproved_worker_daily, p.dirhams_per_point, p.min_top_up, p.max_top_up, p.max_balance, p.undo_minutes,
    CASE WHEN p.merchant_id IS NULL AND p.worker_daily_cap IS NULL THEN s.worker_daily_cap ELSE p.worker_daily_cap END
      AS worker_daily_cap,
    b.name AS branch_name, b.merchant_id AS branch_merchant, b.archived_at,
    u.role AS actor_role, u.email AS actor_email, u.phone AS actor_phone,
    u.first_name || ' ' || u.last_name AS actor_name, k.id AS earlier, n.movement_id AS answered,
    EXISTS (
      SELECT 1 FROM staff_contacts h WHERE h.user_id = r.actor
        AND h.hash = sha256(h.salt || convert_to(CASE h.kind WHEN 'email' THEN c.email ELSE c.phone END, 'UTF8'))
    ) AS had_contact
  INTO g
  FROM merchants s
  CROSS JOIN LATERAL points_config_in_force(s.id) p
  LEFT JOIN branches b ON b.id = at_branch
  LEFT JOIN users u ON u.id = r.actor
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
  IF a.outcome IS NOT NULL THEN
    a.balance := NULL;
    RETURN a;
  END IF;
  IF r.type = 'REVERSAL' THEN
    SELECT v.id INTO standing FROM movements v WHERE v.reverses_id = o.id;
    IF FOUND THEN
      -- The key is used up, as if this request had posted the reversal: once nobody else is posting under it.
      IF r.actor IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(key_lock(r.actor, r.key));
        a := repeated_posting(r, c.id);
        IF a.outcome IS NOT NULL THEN RETURN a; END IF;
        INSERT INTO answered_keys (actor_id, idempotency_key, request_hash, movement_id)
        VALUES (r.actor, r.key, r.hash, standing);
      END IF;
      RETURN movement_outcome(r.idx, 'replayed', standing);
    END IF;
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
    AND (g.actor_email = c.email OR g.actor_phone = c.phone OR g.had_contact) THEN
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
    tx, occurred_at, created_at)
  VALUES (a.movement_id, c.id, c.merchant_id, at_branch, kind, r.actor, r.api_key, r.type, a.points,
    change.paid, change.bonus, a.balance_after, a.bonus_after, a.rate, a.balance_rate, a.seq, r.key, r.hash,
    r.reverses, CASE r.type WHEN 'REVERSAL' THEN o.type END, r.refunds, a.tender, r.sale_ref,
    CASE r.type WHEN 'REDEEM' THEN r.proof::"ProofKind" ELSE 'none' END,
    CASE WHEN r.type = 'REDEEM' AND r.proof <> 'none' THEN r.proof_ref END,
    g.actor_name, g.branch_name, sha256(salt || convert_to(r.reason, 'UTF8')), posting_tx(), a.occurred_at, moment)
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
  a.undo_until := CASE WHEN r.type IN ('TOP_UP', 'REDEEM') THEN moment + g.undo_minutes * interval '1 minute' END;
  RETURN a;
END $$;

/*
  The only writer of movements, pockets and balances. One outcome a row, none fails its neighbours; `quiet` announces
  nothing (for imports of the past); `skip`: rows whose customer another transaction has locked are answered busy, else
  they wait. Rows are JSON objects with the fields of posting_row.

  Plain top-ups and redemptions by users are decided and posted by one statement, all of a customer's or none; every
  other row goes through post_row, customer by customer.
*/
CREATE OR REPLACE FUNCTION post_movements(rows jsonb, quiet boolean, skip boolean) RETURNS SETOF posting_outcome
LANGUAGE plpgsql
-- A plan made while the tables were small must stay right as they grow: always by index, and made once.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET wallet.posting = 'post' AS $$
DECLARE
  wanted uuid[];
  locked uuid[];
  clock timestamptz;
  answers posting_outcome[];
  done int[];
  raced boolean;
  batch_day date;
  r posting_row;
BEGIN
  IF jsonb_array_length(rows) = 1 THEN
    RETURN NEXT post_row(jsonb_populate_record(NULL::posting_row, rows -> 0), quiet, skip);
    RETURN;
  END IF;

  wanted := ARRAY(
    SELECT DISTINCT coalesce(o.customer_id, own.id, shown.id)
    FROM jsonb_to_recordset(rows) AS i(customer uuid, reverses uuid, refunds uuid)
    LEFT JOIN movements o ON o.id = coalesce(i.reverses, i.refunds)
    LEFT JOIN customers own ON own.id = i.customer
    LEFT JOIN customers shown ON shown.public_id = i.customer AND own.id IS NULL
  );
  IF skip THEN
    locked := ARRAY(SELECT c.id FROM customers c WHERE c.id = ANY (wanted) ORDER BY c.id FOR NO KEY UPDATE SKIP LOCKED);
  ELSE
    locked := ARRAY(SELECT c.id FROM customers c WHERE c.id = ANY (wanted) ORDER BY c.id FOR NO KEY UPDATE);
  END IF;
  -- After the customers: who waits for one of them holds up no change of configuration, and so nobody else.
  PERFORM pg_advisory_xact_lock_shared(posting_lock());
  PERFORM pg_advisory_xact_lock_shared(key_lock(i.actor, i.key)) FROM jsonb_to_recordset(rows) AS i(actor uuid, key text);
  clock := clock_timestamp();
  batch_day := (clock AT TIME ZONE 'Asia/Qatar')::date;
  -- The days of the workers whose limits these rows touch: locked in one order, and read below as they stand.
  INSERT INTO worker_days AS w (user_id, day)
  SELECT u.id, batch_day FROM (
    SELECT DISTINCT n.actor
    FROM jsonb_to_recordset(rows) AS i(actor uuid, type text, proof text, reverses uuid)
    LEFT JOIN movements o ON o.id = i.reverses
    CROSS JOIN LATERAL unnest(ARRAY[i.actor, o.actor_id]) AS n(actor)
    WHERE i.type IN ('TOP_UP', 'REFUND', 'REVERSAL') OR (i.type = 'REDEEM' AND coalesce(i.proof, 'none') = 'none')
  ) a JOIN users u ON u.id = a.actor AND u.role = 'branch_worker' ORDER BY u.id
  ON CONFLICT (user_id, day) DO UPDATE SET topped_up = w.topped_up WHERE false;

  WITH i AS MATERIALIZED (
    SELECT * FROM jsonb_populate_recordset(NULL::posting_row, rows)
  ), given AS MATERIALIZED (
    SELECT i.*, uuidv7() AS id, c.id AS customer_id, c.public_id, c.full_name, c.merchant_id, c.balance AS held,
      c.bonus, c.movement_count, c.unproved_on, greatest(clock, c.last_posted_at) AS moment,
      p.dirhams_per_point, p.undo_minutes, p.max_balance, b.name AS branch_name,
      u.first_name || ' ' || u.last_name AS actor_name, u.role AS actor_role, s.redeem_allowance, day.today,
      CASE WHEN c.unproved_on = day.today THEN c.unproved ELSE 0 END AS used_before,
      CASE i.type WHEN 'REDEEM' THEN -i.points ELSE i.points END AS signed,
      sum(CASE i.type WHEN 'REDEEM' THEN -i.points ELSE i.points END) OVER own AS moved,
      sum(CASE i.type WHEN 'REDEEM' THEN i.points ELSE 0 END) OVER own AS redeemed,
      row_number() OVER own AS nth,
      coalesce(
        i.at IS NULL AND i.reason IS NULL AND i.points > 0 AND coalesce(i.actor_type, 'user') = 'user'
        AND k.id IS NULL AND n.movement_id IS NULL AND count(*) OVER (PARTITION BY i.actor, i.key) = 1
        AND (i.scope = 'any' OR (i.scope = 'merchant' AND c.merchant_id = i.scope_merchant))
        AND (i.named_merchant IS NULL OR i.named_merchant = c.merchant_id)
        AND b.merchant_id = c.merchant_id AND b.archived_at IS NULL
        AND s.status = 'approved' AND s.suspended_at IS NULL AND c.status = 'active'
        AND u.email <> c.email AND (u.phone IS NULL OR c.phone IS NULL OR u.phone <> c.phone)
        AND NOT EXISTS (
          SELECT 1 FROM staff_contacts h WHERE h.user_id = u.id
            AND h.hash = sha256(h.salt || convert_to(CASE h.kind WHEN 'email' THEN c.email ELSE c.phone END, 'UTF8')))
        AND (u.role <> 'branch_worker' OR day.today = batch_day)
        -- A worker's limit is not met even if all these rows are posted; else each is decided in its turn.
        AND CASE i.type
          WHEN 'TOP_UP' THEN i.points BETWEEN p.min_top_up AND p.max_top_up
            AND (u.role <> 'branch_worker' OR day.cap IS NULL OR (NOT bool_or(i.type = 'REFUND') OVER staff
              AND w.topped_up + sum(CASE i.type WHEN 'TOP_UP' THEN greatest(i.points, 0) END) OVER staff <= day.cap))
          WHEN 'REDEEM' THEN i.proof = 'none' AND c.bonus = 0
            AND (u.role <> 'branch_worker' OR w.unproved
              + sum(CASE WHEN i.type = 'REDEEM' AND coalesce(i.proof, 'none') = 'none' THEN greatest(i.points, 0) END)
                OVER staff <= s.unproved_worker_daily)
          ELSE false
        END
        AND (c.bonus = 0 OR NOT EXISTS (
          SELECT 1 FROM lots l WHERE l.customer_id = c.id AND l.remaining > 0
            AND l.ends_at <= greatest(clock, c.last_posted_at))),
        false
      ) AS fine
    FROM i
    LEFT JOIN customers own ON own.id = i.customer
    LEFT JOIN customers shown ON shown.public_id = i.customer AND own.id IS NULL
    LEFT JOIN movements o ON o.id = coalesce(i.reverses, i.refunds)
    JOIN customers c ON c.id = coalesce(o.customer_id, own.id, shown.id) AND c.id = ANY (locked)
    JOIN merchants s ON s.id = c.merchant_id
    CROSS JOIN LATERAL points_config_in_force(c.merchant_id) p
    CROSS JOIN LATERAL (
      SELECT (greatest(clock, c.last_posted_at) AT TIME ZONE 'Asia/Qatar')::date AS today,
        CASE WHEN p.merchant_id IS NULL AND p.worker_daily_cap IS NULL THEN s.worker_daily_cap ELSE p.worker_daily_cap END
          AS cap) day
    LEFT JOIN branches b ON b.id = i.branch
    LEFT JOIN users u ON u.id = i.actor
    LEFT JOIN worker_days w ON w.user_id = u.id AND w.day = batch_day
    LEFT JOIN movements k ON k.actor_id = i.actor AND k.idempotency_key = i.key
    LEFT JOIN answered_keys n ON n.actor_id = i.actor AND n.idempotency_key = i.key
    WINDOW own AS (PARTITION BY c.id ORDER BY i.idx), staff AS (PARTITION BY i.actor)
  ), judged AS MATERIALIZED (
    SELECT *, bool_and(
      fine AND held + moved >= 0 AND (signed < 0 OR held + moved <= max_balance)
      AND (signed > 0 OR used_before + redeemed <= redeem_allowance)
    ) OVER (PARTITION BY customer_id) AS go FROM given
  ), ins AS (
    INSERT INTO movements (id, customer_id, merchant_id, branch_id, actor_type, actor_id, type, points, paid_points,
      bonus_points, balance_after, bonus_after, rate, balance_rate, seq, idempotency_key, request_hash, tender, sale_ref,
      proof, actor_name, branch_name, tx, occurred_at, created_at)
    SELECT id, customer_id, merchant_id, branch, 'user', actor, type, signed, signed,
      0, held + moved, bonus, dirhams_per_point, dirhams_per_point, movement_count + nth, key, hash,
      CASE type WHEN 'TOP_UP' THEN coalesce(tender, 'cash') END, sale_ref,
      'none', actor_name, branch_name, posting_tx(), coalesce(occurred, moment), moment
    FROM judged WHERE go ORDER BY customer_id, idx
    ON CONFLICT (actor_id, idempotency_key) DO NOTHING
    RETURNING id
  ), told AS (
    INSERT INTO posting_outbox SELECT id FROM ins WHERE NOT quiet
  ), held AS (
    UPDATE customers c SET balance = n.held + n.moved, movement_count = n.movement_count + n.nth,
      last_posted_at = n.moment,
      unproved_on = CASE WHEN n.redeemed > 0 THEN n.today ELSE c.unproved_on END,
      unproved = CASE WHEN n.redeemed > 0 THEN n.used_before + n.redeemed ELSE c.unproved END
    FROM (SELECT DISTINCT ON (customer_id) * FROM judged WHERE go ORDER BY customer_id, idx DESC) n
    WHERE c.id = n.customer_id
  ), counted AS (
    UPDATE worker_days w SET topped_up = w.topped_up + n.added, unproved = w.unproved + n.bare
    FROM (
      SELECT actor, sum(greatest(signed, 0)) AS added, sum(greatest(-signed, 0)) AS bare
      FROM judged WHERE go AND actor_role = 'branch_worker' GROUP BY actor
    ) n WHERE w.user_id = n.actor AND w.day = batch_day
  )
  SELECT array_agg(ROW(
      j.idx, 'posted', NULL, j.held + j.moved, j.id, j.type, j.signed, j.held + j.moved, j.dirhams_per_point,
      j.movement_count + j.nth, j.moment, NULL, NULL, j.customer_id, j.public_id, j.full_name, j.branch, j.branch_name,
      j.actor, j.actor_name, j.moment + j.undo_minutes * interval '1 minute',
      NULL, j.signed, 0, j.bonus, j.dirhams_per_point, CASE j.type WHEN 'TOP_UP' THEN coalesce(j.tender, 'cash') END,
      j.sale_ref, coalesce(j.occurred, j.moment), 'user'
    )::posting_outcome), array_agg(j.idx), bool_or(ins.id IS NULL)
  INTO answers, done, raced
  FROM judged j LEFT JOIN ins ON ins.id = j.id WHERE j.go;
  -- Another transaction took a key between the look and the insert: the balances would not hold. Nothing is posted.
  IF raced THEN
    RAISE EXCEPTION USING ERRCODE = '40001', MESSAGE = 'a key was posted at the same moment';
  END IF;
  IF done IS NOT NULL THEN RETURN QUERY SELECT * FROM unnest(answers); END IF;
  IF coalesce(cardinality(done), 0) = jsonb_array_length(rows) THEN RETURN; END IF;

  FOR r IN
    SELECT i.* FROM jsonb_populate_recordset(NULL::posting_row, rows) i
    LEFT JOIN movements o ON o.id = coalesce(i.reverses, i.refunds)
    LEFT JOIN customers own ON own.id = i.customer
    LEFT JOIN customers shown ON shown.public_id = i.customer AND own.id IS NULL
    WHERE done IS NULL OR NOT i.idx = ANY (done)
    ORDER BY coalesce(o.customer_id, own.id, shown.id) NULLS LAST, i.idx
  LOOP
    RETURN NEXT post_row(r, quiet, skip);
  END LOOP;
END $$;

-- What workers did today so far.
INSERT INTO worker_days (user_id, day, topped_up, unproved)
SELECT m.actor_id, (now() AT TIME ZONE 'Asia/Qatar')::date,
  coalesce(sum(m.points) FILTER (WHERE m.type IN ('TOP_UP', 'REFUND')), 0),
  coalesce(-sum(m.points) FILTER (WHERE m.type = 'REDEEM' AND m.proof = 'none'), 0)
FROM users u JOIN movements m ON m.actor_id = u.id AND m.created_at >= qatar_day_start(now())
WHERE u.role = 'branch_worker' AND NOT EXISTS (SELECT 1 FROM movements v WHERE v.reverses_id = m.id)
GROUP BY m.actor_id
ON CONFLICT (user_id, day) DO NOTHING;
