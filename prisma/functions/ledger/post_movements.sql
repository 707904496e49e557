/*
  The only writer of movements, pockets and balances. Locks the customers of the rows, decides, inserts the movements, and
  answers one outcome for each row. `quiet`: no receipt and no pass update. `skip`: answer busy for a customer whom
  another transaction has locked; else wait. A row (the type posting_row):
    idx int                 comes back in the outcome
    type                    TOP_UP, REDEEM, REVERSAL, REFUND, BONUS, IMPORT, ADJUSTMENT
    customer, branch        the customer's private or public id, the branch (a reversal or refund takes both from its
                            original); a card holder has no branch, the system may have none
    actor_type              'user' (when absent), 'api_key', 'card_holder' or 'system'
    actor, api_key          the user, or the key; neither for a card holder and the system
    key, hash               the idempotency key; the request's hash
    scope, scope_merchant   'any', 'merchant' or 'own' (a reversal of the actor's own movement), and of which merchant
    named_merchant          the merchant that the request names, or null
    points                  unsigned, except for an ADJUSTMENT; null for a REFUND: all that is left
    reverses, refunds       the movement to reverse, or the REDEEM to refund
    reason                  why; kept beside the movement
    tender, sale_ref        of a TOP_UP (cash when absent); the shop's bill number
    ends_at                 of a BONUS: when it ends, or null
    proof, proof_ref        'none', 'live_code', 'mailed_code' or 'invalid'; what may be spent once a customer
    at                      when, or null: the database's clock once the customer is locked
    occurred                the counter's clock, or null: when it was posted
    till                    the till that the request was made at, or null
    resolver                the user who posts from the inbox of a till's kept top-ups, beside the actor, or null
    late                    whether the owner posts what came late, which a till retired since does not stop
*/
CREATE OR REPLACE FUNCTION post_movements(rows jsonb, quiet boolean, skip boolean) RETURNS SETOF posting_outcome
LANGUAGE plpgsql
-- A plan made while the tables were small must stay right as they grow: always by index, and made once.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET wallet.posting = 'post'
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  wanted uuid[];
  locked uuid[];
  merchants uuid[];
  clock timestamptz;
  answers posting_outcome[];
  done int[];
  raced boolean;
  batch_day date;
  todo record;
  answer posting_outcome;
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
  -- All locks in one order, here and in post_row: customers, the platform, merchants, keys, tills, days of employees.
  IF skip THEN
    SELECT array_agg(c.id), array_agg(DISTINCT c.merchant_id) INTO locked, merchants FROM (
      SELECT id, merchant_id FROM customers WHERE id = ANY (wanted) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) c;
  ELSE
    SELECT array_agg(c.id), array_agg(DISTINCT c.merchant_id) INTO locked, merchants FROM (
      SELECT id, merchant_id FROM customers WHERE id = ANY (wanted) ORDER BY id FOR NO KEY UPDATE) c;
  END IF;
  -- After the customers: who waits for one of them holds up no change of configuration, and so nobody else.
  PERFORM pg_advisory_xact_lock_shared(posting_lock());
  PERFORM pg_advisory_xact_lock_shared(merchant_lock(m)) FROM unnest(merchants) m;
  -- A key that a reversal answers is held alone, as in post_row: one that is there, or that an earlier row of these posts.
  PERFORM CASE WHEN k.alone THEN pg_advisory_xact_lock(k.id) ELSE pg_advisory_xact_lock_shared(k.id) END
  FROM (
    SELECT key_lock(i.actor, i.key) AS id, bool_or(i.nth > 1 OR v.id IS NOT NULL) AS alone
    FROM (
      SELECT actor, key, reverses, CASE WHEN reverses IS NULL THEN 1
        ELSE row_number() OVER (PARTITION BY reverses ORDER BY idx) END AS nth
      FROM jsonb_to_recordset(rows) AS j(idx int, actor uuid, key text, reverses uuid)
    ) i
    LEFT JOIN movements v ON v.reverses_id = i.reverses
    GROUP BY 1 ORDER BY 1
  ) k;
  -- As post_row holds one.
  IF rows @? '$[*].till' THEN
    PERFORM 1 FROM tills t WHERE t.id = ANY (ARRAY(SELECT i.till FROM jsonb_to_recordset(rows) AS i(till uuid)))
    ORDER BY t.id FOR KEY SHARE;
  END IF;
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
      u.first_name || ' ' || u.last_name AS actor_name, u.role AS actor_role, t.period AS till_period, t.name AS till_name, s.redeem_allowance, day.today,
      CASE WHEN c.unproved_on = day.today THEN c.unproved ELSE 0 END AS used_before,
      CASE i.type WHEN 'REDEEM' THEN -i.points ELSE i.points END AS signed,
      sum(CASE i.type WHEN 'REDEEM' THEN -i.points ELSE i.points END) OVER own AS moved,
      sum(CASE i.type WHEN 'REDEEM' THEN i.points ELSE 0 END) OVER own AS redeemed,
      row_number() OVER own AS nth,
      coalesce(
        i.at IS NULL AND i.reason IS NULL AND i.resolver IS NULL AND i.points > 0 AND coalesce(i.actor_type, 'user') = 'user'
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
        AND CASE WHEN i.till IS NULL THEN NOT (s.till_required AND u.role = 'branch_worker')
          ELSE t.merchant_id = c.merchant_id AND t.retired_at IS NULL END
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
    LEFT JOIN tills t ON t.id = i.till
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
      proof, actor_name, branch_name, tx, occurred_at, created_at, till_id, till_period)
    SELECT id, customer_id, merchant_id, branch, 'user', actor, type, signed, signed,
      0, held + moved, bonus, dirhams_per_point, dirhams_per_point, movement_count + nth, key, hash,
      CASE type WHEN 'TOP_UP' THEN coalesce(tender, 'cash') END, sale_ref,
      'none', actor_name, branch_name, posting_tx(), coalesce(occurred, moment), moment,
      till, till_period
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
      j.sale_ref, coalesce(j.occurred, j.moment), 'user', j.till, j.till_name
    )::posting_outcome), array_agg(j.idx), bool_or(ins.id IS NULL)
  INTO answers, done, raced
  FROM judged j LEFT JOIN ins ON ins.id = j.id WHERE j.go;
  -- Another transaction took a key between the look and the insert: the balances would not hold. Nothing is posted.
  IF raced THEN
    RAISE EXCEPTION USING ERRCODE = '40001', MESSAGE = 'a key was posted at the same moment';
  END IF;
  IF done IS NOT NULL THEN RETURN QUERY SELECT * FROM unnest(answers); END IF;
  IF coalesce(cardinality(done), 0) = jsonb_array_length(rows) THEN RETURN; END IF;

  FOR todo IN
    SELECT i AS posting, coalesce(o.customer_id, own.id, shown.id) AS card
    FROM jsonb_populate_recordset(NULL::posting_row, rows) i
    LEFT JOIN movements o ON o.id = coalesce(i.reverses, i.refunds)
    LEFT JOIN customers own ON own.id = i.customer
    LEFT JOIN customers shown ON shown.public_id = i.customer AND own.id IS NULL
    WHERE done IS NULL OR NOT i.idx = ANY (done)
    ORDER BY 2 NULLS LAST, i.idx
  LOOP
    -- A customer who got free since then would be locked after keys and days.
    IF skip AND NOT todo.card = ANY (coalesce(locked, '{}')) THEN
      answer.idx := (todo.posting).idx;
      answer.outcome := 'busy';
      RETURN NEXT answer;
    ELSE
      RETURN NEXT post_row(todo.posting, quiet, skip);
    END IF;
  END LOOP;
END $$;
