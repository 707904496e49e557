-- Posting with two pockets: one row by few small statements, many plain rows by one.

DROP FUNCTION posting_answer(record, int, int, timestamptz);
DROP FUNCTION insert_movement(record, int, int, timestamptz);
DROP FUNCTION set_balance(uuid, int, int);
DROP FUNCTION posting_refusal(record, int, timestamptz);
DROP FUNCTION reversal_refusal(record, int, int, timestamptz);
DROP FUNCTION reach_refusal(record);
DROP FUNCTION state_refusal(record);
DROP FUNCTION repeated_posting(record);
DROP FUNCTION redeemed_unproved(uuid, timestamptz);
DROP FUNCTION lock_for_posting(jsonb);
DROP FUNCTION announce_movements(uuid[]);
DROP FUNCTION movement_outcome(int, text, uuid);

/*
  A request to post:
    idx int                 comes back in the outcome
    type                    TOP_UP, REDEEM, REVERSAL, REFUND, BONUS, IMPORT, ADJUSTMENT
    customer, branch        the customer's private or public id, the branch (a reversal or refund takes both from its
                            original); a card holder has no branch, the system may have none
    actor_type              'user' (when absent), 'api_key', 'card_holder' or 'system'
    actor, api_key          the user, or the key; neither for a card holder and the system
    key, hash               the idempotency key; the request's hash
    scope, scope_merchant   'any', 'merchant' or 'own' (a reversal of the actor's own movement), and of which merchant
    named_merchant          the merchant that the request names, or null
    points                  unsigned, but for an ADJUSTMENT; null for a REFUND: all that is left
    reverses, refunds       the movement to reverse, or the REDEEM to refund
    reason                  why; kept beside the movement
    tender, sale_ref        of a TOP_UP (cash when absent); the shop's bill number
    ends_at                 of a BONUS: when it ends, or null
    proof, proof_ref        'none', 'live_code', 'mailed_code' or 'invalid'; what may be spent once a customer
    at                      when, or null: the database's clock once the customer is locked
    occurred                the counter's clock, or null: when it was posted
*/
CREATE TYPE posting_row AS (
  idx int, type "MovementType", customer uuid, branch uuid, actor_type "ActorType", actor uuid, api_key uuid,
  scope text, scope_merchant uuid, named_merchant uuid, points bigint, reverses uuid, refunds uuid, reason text,
  key text, hash text, proof text, proof_ref text, tender "Tender", sale_ref text, ends_at timestamptz,
  at timestamptz, occurred timestamptz
);

ALTER TYPE posting_outcome
  ADD ATTRIBUTE refunds_id uuid,
  ADD ATTRIBUTE paid_points int,
  ADD ATTRIBUTE bonus_points int,
  ADD ATTRIBUTE bonus_after int,
  ADD ATTRIBUTE balance_rate int,
  ADD ATTRIBUTE tender "Tender",
  ADD ATTRIBUTE sale_ref text,
  ADD ATTRIBUTE occurred_at timestamptz,
  ADD ATTRIBUTE actor_type "ActorType";

-- A movement that stands already, as an outcome. Names are those that it keeps.
CREATE FUNCTION movement_outcome(idx int, outcome text, movement uuid) RETURNS posting_outcome
LANGUAGE sql STABLE AS $$
  SELECT ROW(
    idx, outcome, NULL, m.balance_after, m.id, m.type, m.points, m.balance_after, m.rate, m.seq, m.created_at,
    t.reason, m.reverses_id, c.id, c.public_id, c.full_name, m.branch_id, m.branch_name, m.actor_id, m.actor_name,
    CASE WHEN m.type IN ('TOP_UP', 'REDEEM') AND v.id IS NULL
      THEN m.created_at + p.undo_minutes * interval '1 minute' END,
    m.refunds_id, m.paid_points, m.bonus_points, m.bonus_after, m.balance_rate, m.tender, m.sale_ref, m.occurred_at,
    m.actor_type
  )::posting_outcome
  FROM movements m
  JOIN customers c ON c.id = m.customer_id
  LEFT JOIN movement_texts t ON t.movement_id = m.id
  LEFT JOIN movements v ON v.reverses_id = m.id
  CROSS JOIN LATERAL points_config_in_force(m.merchant_id) p
  WHERE m.id = movement
$$;

-- What a worker topped up and refunded on the Asia/Qatar day that starts then, less what was reversed since.
CREATE OR REPLACE FUNCTION worker_topped_up(worker uuid, day_start timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(m.points), 0) FROM movements m
  WHERE m.actor_id = worker AND m.type IN ('TOP_UP', 'REFUND')
    AND m.created_at >= day_start AND m.created_at < day_start + interval '1 day'
    AND NOT EXISTS (SELECT 1 FROM movements v WHERE v.reverses_id = m.id)
$$;

-- A worker's daily limit spans customers, so their rows do not settle its races.
CREATE FUNCTION lock_worker(worker uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('worker cap ' || worker::text, 0))
$$;

-- Expiry ---------------------------------------------------------------------------------------------------------

-- Posts the EXPIRYs that are due for customers whose rows the caller has locked; answers how many. None for a merchant
-- that is suspended.
CREATE FUNCTION expire_locked(ids uuid[], clock timestamptz, quiet boolean) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  expired int;
BEGIN
  WITH due AS MATERIALIZED (
    SELECT uuidv7() AS id, l.id AS lot, l.remaining, l.ends_at, c.id AS customer_id, c.merchant_id, c.balance, c.bonus,
      p.dirhams_per_point AS rate, greatest(clock, c.last_posted_at) AS moment,
      c.movement_count + row_number() OVER own AS seq, sum(l.remaining) OVER own AS gone
    FROM lots l
    JOIN customers c ON c.id = l.customer_id
    JOIN merchants s ON s.id = c.merchant_id AND s.suspended_at IS NULL
    CROSS JOIN LATERAL points_config_in_force(c.merchant_id) p
    WHERE l.customer_id = ANY (ids) AND l.remaining > 0 AND l.ends_at <= greatest(clock, c.last_posted_at)
    WINDOW own AS (PARTITION BY c.id ORDER BY l.ends_at, l.id)
  ), ins AS (
    INSERT INTO movements (id, customer_id, merchant_id, actor_type, type, points, paid_points, bonus_points,
      balance_after, bonus_after, rate, balance_rate, seq, idempotency_key, request_hash, tx, occurred_at, created_at)
    SELECT id, customer_id, merchant_id, 'system', 'EXPIRY', -remaining, 0, -remaining, balance - gone, bonus - gone,
      rate, rate, seq, 'expiry ' || seq, lot::text, posting_tx(), ends_at, moment
    FROM due ORDER BY customer_id, seq
  ), moves AS (
    INSERT INTO lot_moves (movement_id, lot_id, points) SELECT id, lot, -remaining FROM due
  ), emptied AS (
    UPDATE lots l SET remaining = 0 FROM due WHERE l.id = due.lot
  ), told AS (
    INSERT INTO posting_outbox SELECT id FROM due WHERE NOT quiet
  ), held AS (
    UPDATE customers c
    SET balance = c.balance - n.gone, bonus = c.bonus - n.gone, movement_count = n.seq, last_posted_at = n.moment
    FROM (SELECT customer_id, max(gone) AS gone, max(seq) AS seq, max(moment) AS moment FROM due GROUP BY 1) n
    WHERE c.id = n.customer_id
  )
  SELECT count(*) INTO expired FROM due;
  RETURN expired;
END $$;

-- The nightly job's part: posts the EXPIRYs due for up to `most` customers, on blocked and frozen cards too; answers how
-- many. Customers that are locked now are left to the next call.
CREATE FUNCTION expire_bonus(most int, quiet boolean DEFAULT false, clock timestamptz DEFAULT clock_timestamp())
RETURNS int LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET wallet.posting = 'post' SET lock_timeout = '10s' AS $$
DECLARE
  ids uuid[];
BEGIN
  ids := ARRAY(
    SELECT c.id FROM customers c WHERE c.id = ANY (ARRAY(
      SELECT DISTINCT l.customer_id FROM lots l JOIN merchants s ON s.id = l.merchant_id AND s.suspended_at IS NULL
      WHERE l.remaining > 0 AND l.ends_at <= clock LIMIT most
    )) ORDER BY c.id FOR NO KEY UPDATE SKIP LOCKED
  );
  PERFORM pg_advisory_xact_lock_shared(posting_lock());
  RETURN expire_locked(ids, clock, quiet);
END $$;

-- Pockets --------------------------------------------------------------------------------------------------------

-- What a movement does to the pockets and to which lots; or why it may not, with the bound it met.
CREATE TYPE pocket_change AS (
  outcome text, allowed int, paid int, bonus int, lots uuid[], lot_points int[], lot_ends timestamptz[]
);

-- A debit of `wanted` points, no more than there are: bonus of the lot that ends soonest first, and paid, in the
-- merchant's order.
CREATE FUNCTION draw_pockets(customer uuid, paid int, wanted int, spend "SpendOrder") RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
DECLARE
  change pocket_change;
  lot record;
  open int := wanted;
  part int;
BEGIN
  change.paid := CASE spend WHEN 'paid_first' THEN -least(paid, wanted) ELSE -greatest(0, wanted - (
    SELECT coalesce(sum(l.remaining), 0) FROM lots l WHERE l.customer_id = customer AND l.remaining > 0)) END;
  open := wanted + change.paid;
  change.bonus := -open;
  FOR lot IN
    SELECT l.id, l.remaining FROM lots l WHERE l.customer_id = customer AND l.remaining > 0 ORDER BY l.ends_at, l.id
  LOOP
    EXIT WHEN open = 0;
    part := least(open, lot.remaining);
    change.lots := change.lots || lot.id;
    change.lot_points := change.lot_points || -part;
    open := open - part;
  END LOOP;
  RETURN change;
END $$;

-- When a lot that gets points back ends now: seven days on where it ended meanwhile, once a lot; else NULL, as before.
CREATE FUNCTION longer_end(ends_at timestamptz, extended boolean, moment timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN ends_at <= moment AND NOT extended THEN moment + interval '168 hours' END
$$;

-- The opposite of a movement, lot by lot.
CREATE FUNCTION reversal_change(original movements, paid int, moment timestamptz) RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
DECLARE
  change pocket_change;
  lot record;
BEGIN
  change.paid := -original.paid_points;
  change.bonus := -original.bonus_points;
  IF paid + change.paid < 0 THEN change.outcome := 'already_spent'; END IF;
  IF original.bonus_points = 0 THEN RETURN change; END IF;
  FOR lot IN
    SELECT l.id, -m.points AS points, l.remaining, l.ends_at, l.extended
    FROM lot_moves m JOIN lots l ON l.id = m.lot_id WHERE m.movement_id = original.id ORDER BY l.id
  LOOP
    IF lot.remaining + lot.points < 0 THEN change.outcome := 'already_spent'; END IF;
    change.lots := change.lots || lot.id;
    change.lot_points := change.lot_points || lot.points;
    change.lot_ends := change.lot_ends ||
      CASE WHEN lot.points > 0 THEN longer_end(lot.ends_at, lot.extended, moment) END;
  END LOOP;
  RETURN change;
END $$;

-- A part of a REDEEM given back (NULL: all that is left): paid first, then bonus, the lot that ends last first.
CREATE FUNCTION refund_change(original movements, wanted bigint, moment timestamptz) RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
DECLARE
  change pocket_change;
  standing uuid[];
  given record;
  lot record;
  open int;
BEGIN
  SELECT array_agg(f.id) AS ids, coalesce(sum(f.points), 0) AS points, coalesce(sum(f.paid_points), 0) AS paid
  INTO given FROM movements f
  WHERE f.refunds_id = original.id AND NOT EXISTS (SELECT 1 FROM movements v WHERE v.reverses_id = f.id);
  open := -original.points - given.points;
  IF open = 0 OR wanted > open THEN
    change.outcome := 'refund_exceeded';
    change.allowed := open;
    RETURN change;
  END IF;
  open := coalesce(wanted, open);
  change.paid := least(open, -original.paid_points - given.paid);
  open := open - change.paid;
  change.bonus := open;
  IF open = 0 THEN RETURN change; END IF;
  FOR lot IN
    SELECT l.id, l.ends_at, l.extended, -m.points - coalesce((
      SELECT sum(b.points) FROM lot_moves b WHERE b.movement_id = ANY (given.ids) AND b.lot_id = l.id), 0)::int AS points
    FROM lot_moves m JOIN lots l ON l.id = m.lot_id WHERE m.movement_id = original.id
    ORDER BY l.ends_at DESC NULLS FIRST, l.id DESC
  LOOP
    EXIT WHEN open = 0;
    CONTINUE WHEN lot.points = 0;
    change.lots := change.lots || lot.id;
    change.lot_points := change.lot_points || least(open, lot.points);
    change.lot_ends := change.lot_ends || longer_end(lot.ends_at, lot.extended, moment);
    open := open - least(open, lot.points);
  END LOOP;
  RETURN change;
END $$;

-- One row --------------------------------------------------------------------------------------------------------

-- The first result of a request whose key is known, or key_reused when the key named another request. A key belongs to
-- the user who posts; those who are no user share the customer's. The outcome's name is NULL when the key is new.
CREATE FUNCTION repeated_posting(r posting_row, card uuid) RETURNS posting_outcome LANGUAGE plpgsql STABLE AS $$
DECLARE
  earlier record;
  refusal posting_outcome;
BEGIN
  IF r.actor IS NOT NULL THEN
    SELECT m.id, m.request_hash, m.actor_type, m.api_key_id INTO earlier FROM movements m
    WHERE m.actor_id = r.actor AND m.idempotency_key = r.key;
    IF NOT FOUND THEN
      SELECT k.movement_id AS id, k.request_hash, 'user'::"ActorType" AS actor_type, NULL::uuid AS api_key_id
      INTO earlier FROM answered_keys k WHERE k.actor_id = r.actor AND k.idempotency_key = r.key;
    END IF;
  ELSE
    SELECT m.id, m.request_hash, m.actor_type, m.api_key_id INTO earlier FROM movements m
    WHERE m.actor_id IS NULL AND m.customer_id = card AND m.idempotency_key = r.key;
  END IF;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- Nobody is answered with what somebody else posted.
  IF earlier.request_hash = r.hash AND earlier.actor_type = coalesce(r.actor_type, 'user')
    AND earlier.api_key_id IS NOT DISTINCT FROM r.api_key THEN
    RETURN movement_outcome(r.idx, 'replayed', earlier.id);
  END IF;
  refusal.idx := r.idx;
  refusal.outcome := 'key_reused';
  RETURN refusal;
END $$;

-- Whether the row may reach its customer, branch and original at all: the refusal's name, or NULL when it may. `g` is
-- what post_row read of merchant, branch and actor.
CREATE FUNCTION reach_refusal(r posting_row, o movements, merchant uuid, at_branch uuid, g record) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  kind "ActorType" := coalesce(r.actor_type, 'user');
BEGIN
  RETURN CASE
    WHEN merchant IS NULL OR r.type = 'EXPIRY' THEN 'not_found'
    WHEN kind = 'user' AND g.actor_role IS NULL THEN 'not_found'
    WHEN r.type IN ('REVERSAL', 'REFUND') AND o.id IS NULL THEN 'not_found'
    WHEN r.scope <> 'any' AND merchant IS DISTINCT FROM r.scope_merchant THEN 'not_found'
    WHEN r.scope = 'own' AND (r.actor IS NULL OR o.actor_id IS DISTINCT FROM r.actor) THEN 'not_found'
    WHEN r.named_merchant <> merchant THEN 'branch_mismatch'
    WHEN kind = 'card_holder' AND at_branch IS NOT NULL THEN 'branch_mismatch'
    -- A card holder stands at no branch, the system at none unless it names one; a reversal where its original did.
    WHEN at_branch IS NULL AND (kind IN ('card_holder', 'system') OR r.type = 'REVERSAL') THEN NULL
    WHEN g.branch_merchant IS DISTINCT FROM merchant THEN 'branch_mismatch'
    WHEN g.archived_at IS NOT NULL AND r.type IN ('TOP_UP', 'REDEEM', 'BONUS') THEN 'branch_mismatch'
  END;
END $$;

-- Why a reversal or refund of `o` is refused before its pockets are looked at, with the bound it met.
CREATE FUNCTION original_refusal(r posting_row, o movements, moment timestamptz, g record) RETURNS pocket_change
LANGUAGE plpgsql STABLE AS $$
DECLARE
  refusal pocket_change;
BEGIN
  refusal.outcome := CASE
    WHEN r.type = 'REFUND' THEN CASE
      WHEN o.type <> 'REDEEM' THEN 'not_refundable'
      WHEN EXISTS (SELECT 1 FROM movements v WHERE v.reverses_id = o.id) THEN 'already_reversed'
      WHEN g.actor_role = 'branch_worker' AND g.refund_days = 0 THEN 'refund_forbidden'
      WHEN g.actor_role = 'branch_worker' AND moment > o.created_at + g.refund_days * interval '24 hours'
        THEN 'refund_expired'
      WHEN o.rate > g.dirhams_per_point THEN 'value_lowered'
      WHEN r.points <= 0 THEN 'below_minimum'
    END
    -- A user and a key stand at a branch: what was posted at none is not theirs to reverse.
    WHEN o.type IN ('REVERSAL', 'EXPIRY')
      OR (o.branch_id IS NULL AND coalesce(r.actor_type, 'user') IN ('user', 'api_key')) THEN 'not_reversible'
    WHEN r.scope = 'own' AND moment > o.created_at + g.undo_minutes * interval '1 minute' THEN 'undo_expired'
    WHEN r.scope = 'own' AND EXISTS (
      SELECT 1 FROM movements l WHERE l.customer_id = o.customer_id AND l.seq > o.seq AND l.type <> 'EXPIRY'
    ) THEN 'not_latest'
    WHEN o.type = 'REDEEM' AND EXISTS (
      SELECT 1 FROM movements f WHERE f.refunds_id = o.id
        AND NOT EXISTS (SELECT 1 FROM movements v WHERE v.reverses_id = f.id)
    ) THEN 'refunded'
    WHEN o.points < 0 AND o.rate > g.dirhams_per_point THEN 'value_lowered'
  END;
  IF refusal.outcome = 'below_minimum' THEN refusal.allowed := 1; END IF;
  RETURN refusal;
END $$;

-- Posts one row, or answers why not. `skip`: a customer whom another transaction has locked is answered busy.
CREATE FUNCTION post_row(r posting_row, quiet boolean, skip boolean) RETURNS posting_outcome LANGUAGE plpgsql AS $$
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
  PERFORM pg_advisory_xact_lock_shared(posting_lock());
  a.balance := c.balance;
  -- Time never runs back for a customer.
  moment := greatest(coalesce(r.at, clock_timestamp()), c.last_posted_at);

  SELECT s.status AS merchant_status, s.suspended_at, s.redeem_allowance, s.spend_order, s.refund_days,
    p.dirhams_per_point, p.min_top_up, p.max_top_up, p.max_balance, p.undo_minutes, p.worker_daily_cap,
    b.name AS branch_name, b.merchant_id AS branch_merchant, b.archived_at,
    u.role AS actor_role, u.email AS actor_email, u.phone AS actor_phone,
    u.first_name || ' ' || u.last_name AS actor_name, k.id AS earlier, n.movement_id AS answered
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
      -- The key is used up, as if this request had posted the reversal.
      IF r.actor IS NOT NULL THEN
        INSERT INTO answered_keys (actor_id, idempotency_key, request_hash, movement_id)
        VALUES (r.actor, r.key, r.hash, standing) ON CONFLICT DO NOTHING;
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
    AND (g.actor_email = c.email OR g.actor_phone = c.phone) THEN
    a.outcome := 'own_card';
  ELSIF given_back THEN
    change := original_refusal(r, o, moment, g);
    IF change.outcome IS NULL AND r.type = 'REFUND' THEN
      change := refund_change(o, r.points, moment);
      IF change.outcome IS NULL AND g.actor_role = 'branch_worker' AND g.worker_daily_cap IS NOT NULL THEN
        PERFORM lock_worker(r.actor);
        IF worker_topped_up(r.actor, qatar_day_start(moment)) + change.paid + change.bonus > g.worker_daily_cap THEN
          change.outcome := 'daily_cap';
          change.allowed := g.worker_daily_cap;
        END IF;
      END IF;
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
  ELSIF r.type = 'TOP_UP' AND g.actor_role = 'branch_worker' AND g.worker_daily_cap IS NOT NULL THEN
    PERFORM lock_worker(r.actor);
    IF worker_topped_up(r.actor, qatar_day_start(moment)) + r.points > g.worker_daily_cap THEN
      a.outcome := 'daily_cap';
      a.allowed := g.worker_daily_cap;
    END IF;
  END IF;
  IF a.outcome IS NOT NULL THEN RETURN a; END IF;

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

-- Many rows ------------------------------------------------------------------------------------------------------

/*
  The only writer of movements, pockets and balances. One outcome a row, none fails its neighbours; `quiet` announces
  nothing (for imports of the past); `skip`: rows whose customer another transaction has locked are answered busy, else
  they wait. Rows are JSON objects with the fields of posting_row.

  Plain top-ups and redemptions by users are decided and posted by one statement, all of a customer's or none; every
  other row goes through post_row, customer by customer.
*/
CREATE FUNCTION post_movements(rows jsonb, quiet boolean, skip boolean) RETURNS SETOF posting_outcome
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
  clock := clock_timestamp();

  WITH i AS MATERIALIZED (
    SELECT * FROM jsonb_populate_recordset(NULL::posting_row, rows)
  ), given AS MATERIALIZED (
    SELECT i.*, uuidv7() AS id, c.id AS customer_id, c.public_id, c.full_name, c.merchant_id, c.balance AS held,
      c.bonus, c.movement_count, c.unproved_on, greatest(clock, c.last_posted_at) AS moment,
      p.dirhams_per_point, p.undo_minutes, p.max_balance, b.name AS branch_name,
      u.first_name || ' ' || u.last_name AS actor_name, s.redeem_allowance, day.today,
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
        AND CASE i.type
          WHEN 'TOP_UP' THEN i.points BETWEEN p.min_top_up AND p.max_top_up
            AND (p.worker_daily_cap IS NULL OR u.role <> 'branch_worker')
          WHEN 'REDEEM' THEN i.proof = 'none' AND c.bonus = 0
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
      SELECT (greatest(clock, c.last_posted_at) AT TIME ZONE 'Asia/Qatar')::date AS today) day
    LEFT JOIN branches b ON b.id = i.branch
    LEFT JOIN users u ON u.id = i.actor
    LEFT JOIN movements k ON k.actor_id = i.actor AND k.idempotency_key = i.key
    LEFT JOIN answered_keys n ON n.actor_id = i.actor AND n.idempotency_key = i.key
    WINDOW own AS (PARTITION BY c.id ORDER BY i.idx)
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

  -- In one order, so that two batches never wait for each other.
  PERFORM lock_worker(w.id) FROM (
    SELECT DISTINCT u.id FROM jsonb_populate_recordset(NULL::posting_row, rows) i
    JOIN users u ON u.id = i.actor AND u.role = 'branch_worker'
    CROSS JOIN LATERAL points_config_in_force(u.merchant_id) p
    WHERE i.type IN ('TOP_UP', 'REFUND') AND p.worker_daily_cap IS NOT NULL ORDER BY u.id
  ) w;
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

-- The signature that servers of the release before call: waits for customers that are locked.
CREATE OR REPLACE FUNCTION post_movements(rows jsonb, quiet boolean DEFAULT false) RETURNS SETOF posting_outcome
LANGUAGE sql SET lock_timeout = '10s' AS $$ SELECT * FROM post_movements(rows, quiet, false) $$;

-- The first result of a user's request by its key, whatever the state of merchant, branch, customer or worker now.
CREATE FUNCTION stored_posting(rows jsonb) RETURNS SETOF posting_outcome LANGUAGE sql STABLE AS $$
  SELECT a.* FROM repeated_posting(jsonb_populate_record(NULL::posting_row, rows -> 0), NULL) a
  WHERE a.outcome IS NOT NULL
$$;
