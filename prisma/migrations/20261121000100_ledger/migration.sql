-- What the Prisma schema cannot say about money: rules of rows, the append-only ledger and post_movements.
-- New migrations are made by comparing Prisma schemas, so nothing here is ever dropped by `migration:new`.

-- Room on each page, so that a new balance needs no new index entries.
ALTER TABLE "customers" SET (fillfactor = 80);

-- Rules of single rows -------------------------------------------------------------------------------------------

ALTER TABLE "users"
  ADD CONSTRAINT "users_email_lower" CHECK ("email" = lower("email") AND "email" <> ''),
  ADD CONSTRAINT "users_role_merchant"
    CHECK (("role" IN ('merchant_owner', 'branch_worker')) = ("merchant_id" IS NOT NULL));

ALTER TABLE "merchants"
  ADD CONSTRAINT "merchants_email_lower" CHECK ("email" = lower("email") AND "email" <> ''),
  ADD CONSTRAINT "merchants_redeem_allowance" CHECK ("redeem_allowance" BETWEEN 0 AND 1000000000);

ALTER TABLE "branches"
  ADD CONSTRAINT "branches_name" CHECK (btrim("name") <> '');

-- A name is taken only by a branch that is open.
CREATE UNIQUE INDEX "branches_open_name_key" ON "branches" ("merchant_id", lower("name")) WHERE "archived_at" IS NULL;

ALTER TABLE "customers"
  ADD CONSTRAINT "customers_email_lower" CHECK ("email" = lower("email") AND "email" <> ''),
  ADD CONSTRAINT "customers_balance" CHECK ("balance" >= 0),
  ADD CONSTRAINT "customers_movement_count" CHECK ("movement_count" >= 0),
  ADD CONSTRAINT "customers_erased" CHECK (
    ("status" = 'erased') = ("erased_at" IS NOT NULL)
    AND ("status" <> 'erased' OR ("email" IS NULL AND "phone" IS NULL AND "date_of_birth" IS NULL))
  );

ALTER TABLE "movements"
  ADD CONSTRAINT "movements_balance_after" CHECK ("balance_after" >= 0),
  ADD CONSTRAINT "movements_rate" CHECK ("rate" > 0),
  ADD CONSTRAINT "movements_seq" CHECK ("seq" > 0),
  ADD CONSTRAINT "movements_key" CHECK (length("idempotency_key") BETWEEN 1 AND 200),
  ADD CONSTRAINT "movements_sign" CHECK (
    CASE "type"
      WHEN 'TOP_UP' THEN "points" > 0
      WHEN 'IMPORT' THEN "points" > 0
      WHEN 'REDEEM' THEN "points" < 0
      ELSE "points" <> 0
    END
  ),
  ADD CONSTRAINT "movements_reverses" CHECK (("type" = 'REVERSAL') = ("reverses_id" IS NOT NULL)),
  ADD CONSTRAINT "movements_proof" CHECK ("proof" = 'none' OR "type" = 'REDEEM');

ALTER TABLE "points_configs"
  ADD CONSTRAINT "points_configs_bounds" CHECK (
    "version" > 0
    AND "dirhams_per_point" BETWEEN 1 AND 100000
    AND "min_top_up" >= 1
    AND "max_top_up" >= "min_top_up"
    AND "max_balance" BETWEEN "max_top_up" AND 1000000000
    AND "undo_minutes" BETWEEN 0 AND 1440
    AND ("worker_daily_cap" IS NULL OR "worker_daily_cap" BETWEEN 1 AND 1000000000)
    AND (NOT "withdrawn" OR "merchant_id" IS NOT NULL)
  );

-- The platform's own record has no merchant: its versions are unique all the same.
DROP INDEX "points_configs_merchant_id_version_key";
CREATE UNIQUE INDEX "points_configs_merchant_id_version_key"
  ON "points_configs" ("merchant_id", "version") NULLS NOT DISTINCT;

ALTER TABLE "codes"
  ADD CONSTRAINT "codes_email_lower" CHECK ("email" = lower("email")),
  ADD CONSTRAINT "codes_wrong" CHECK ("wrong" >= 0);

INSERT INTO "points_configs"
  ("version", "dirhams_per_point", "min_top_up", "max_top_up", "max_balance", "undo_minutes", "worker_daily_cap")
VALUES (1, 100, 1, 5000, 20000, 15, NULL);

-- The configuration in force: the merchant's newest record unless it was withdrawn, else the platform's newest.
CREATE FUNCTION points_config_in_force(for_merchant uuid) RETURNS SETOF "points_configs"
LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT chosen.* FROM (
    SELECT own.* FROM (
      SELECT * FROM points_configs WHERE merchant_id = for_merchant ORDER BY version DESC LIMIT 1
    ) own WHERE NOT own.withdrawn
    UNION ALL
    (SELECT * FROM points_configs WHERE merchant_id IS NULL ORDER BY version DESC LIMIT 1)
  ) chosen ORDER BY chosen.merchant_id NULLS LAST LIMIT 1
$$;

-- The ledger is append-only, and balances follow it ---------------------------------------------------------------

CREATE FUNCTION movements_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'movements are append-only: % is refused', TG_OP;
END $$;

CREATE TRIGGER "movements_no_change" BEFORE UPDATE OR DELETE ON "movements"
  FOR EACH ROW EXECUTE FUNCTION movements_append_only();
CREATE TRIGGER "movements_no_truncate" BEFORE TRUNCATE ON "movements"
  FOR EACH STATEMENT EXECUTE FUNCTION movements_append_only();

CREATE FUNCTION only_by_posting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('wallet.posting', true) IS DISTINCT FROM 'on' THEN
    RAISE EXCEPTION 'only post_movements writes movements and balances';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "movements_by_posting" BEFORE INSERT ON "movements"
  FOR EACH ROW EXECUTE FUNCTION only_by_posting();
CREATE TRIGGER "customers_balance_by_posting" BEFORE UPDATE ON "customers"
  FOR EACH ROW
  WHEN (OLD."balance" <> NEW."balance" OR OLD."movement_count" <> NEW."movement_count"
        OR OLD."merchant_id" <> NEW."merchant_id")
  EXECUTE FUNCTION only_by_posting();
CREATE TRIGGER "customers_start_empty" BEFORE INSERT ON "customers"
  FOR EACH ROW WHEN (NEW."balance" <> 0 OR NEW."movement_count" <> 0)
  EXECUTE FUNCTION only_by_posting();

CREATE FUNCTION balance_within_maximum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.balance > (SELECT p.max_balance FROM points_config_in_force(NEW.merchant_id) p) THEN
    RAISE EXCEPTION 'the balance would exceed the maximum in force';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "customers_balance_maximum" BEFORE UPDATE ON "customers"
  FOR EACH ROW WHEN (NEW."balance" > OLD."balance") EXECUTE FUNCTION balance_within_maximum();

-- Posting --------------------------------------------------------------------------------------------------------

CREATE FUNCTION qatar_day_start(moment timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT date_trunc('day', moment AT TIME ZONE 'Asia/Qatar') AT TIME ZONE 'Asia/Qatar'
$$;

CREATE TYPE posting_outcome AS (
  idx int,
  outcome text,
  allowed int,
  balance int,
  movement_id uuid,
  type "MovementType",
  points int,
  balance_after int,
  rate int,
  seq int,
  created_at timestamptz,
  reason text,
  reverses_id uuid,
  customer_id uuid,
  public_id uuid,
  full_name text,
  branch_id uuid,
  branch_name text,
  actor_id uuid,
  actor_name text,
  undo_until timestamptz
);

-- A movement that stands already, as an outcome.
CREATE FUNCTION movement_outcome(idx int, outcome text, movement uuid) RETURNS posting_outcome
LANGUAGE sql STABLE AS $$
  SELECT ROW(
    idx, outcome, NULL, m.balance_after, m.id, m.type, m.points, m.balance_after, m.rate, m.seq, m.created_at,
    m.reason, m.reverses_id, c.id, c.public_id, c.full_name, b.id, b.name, u.id, u.first_name || ' ' || u.last_name,
    CASE WHEN m.type IN ('TOP_UP', 'REDEEM') AND v.id IS NULL
      THEN m.created_at + p.undo_minutes * interval '1 minute' END
  )::posting_outcome
  FROM movements m
  JOIN customers c ON c.id = m.customer_id
  JOIN branches b ON b.id = m.branch_id
  JOIN users u ON u.id = m.actor_id
  LEFT JOIN movements v ON v.reverses_id = m.id
  CROSS JOIN LATERAL points_config_in_force(m.merchant_id) p
  WHERE m.id = movement
$$;

-- Answers with the first result when the actor's key is known, with key_reused when it named another request.
CREATE FUNCTION repeated_posting(idx int, actor uuid, key text, hash text) RETURNS posting_outcome
LANGUAGE plpgsql STABLE AS $$
DECLARE
  earlier record;
  refusal posting_outcome;
BEGIN
  SELECT m.id, m.request_hash INTO earlier FROM movements m WHERE m.actor_id = actor AND m.idempotency_key = key;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF earlier.request_hash = hash THEN RETURN movement_outcome(idx, 'replayed', earlier.id); END IF;
  refusal.idx := idx;
  refusal.outcome := 'key_reused';
  RETURN refusal;
END $$;

-- What a worker topped up on the Asia/Qatar day that starts then, less what was reversed since.
CREATE FUNCTION worker_topped_up(worker uuid, day_start timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(m.points), 0) FROM movements m
  WHERE m.actor_id = worker AND m.type = 'TOP_UP'
    AND m.created_at >= day_start AND m.created_at < day_start + interval '1 day'
    AND NOT EXISTS (SELECT 1 FROM movements v WHERE v.reverses_id = m.id)
$$;

-- What a customer redeemed without proof on the Asia/Qatar day that starts then, less what was reversed since.
CREATE FUNCTION redeemed_unproved(customer uuid, day_start timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(-sum(m.points), 0) FROM movements m
  WHERE m.customer_id = customer AND m.type = 'REDEEM' AND m.proof = 'none'
    AND m.created_at >= day_start AND m.created_at < day_start + interval '1 day'
    AND NOT EXISTS (SELECT 1 FROM movements v WHERE v.reverses_id = m.id)
$$;

-- Whoever changes a configuration holds the other side of this lock until commit (see lockPostings).
CREATE FUNCTION posting_lock() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 7203114401::bigint';

-- Takes every lock a batch needs, always in the same order, and answers the customers that are locked.
CREATE FUNCTION lock_for_posting(rows jsonb) RETURNS uuid[] LANGUAGE plpgsql
SET lock_timeout = '10s' SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  capped uuid;
  wanted uuid[];
BEGIN
  PERFORM pg_advisory_xact_lock_shared(posting_lock());
  -- A worker's cap spans customers, so their rows do not settle its races.
  FOR capped IN
    SELECT DISTINCT u.id
    FROM jsonb_to_recordset(rows) AS i(type "MovementType", actor uuid)
    JOIN users u ON u.id = i.actor AND u.role = 'branch_worker'
    CROSS JOIN LATERAL points_config_in_force(u.merchant_id) p
    WHERE i.type = 'TOP_UP' AND p.worker_daily_cap IS NOT NULL
    ORDER BY u.id
  LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('worker cap ' || capped::text, 0));
  END LOOP;
  SELECT array_agg(DISTINCT coalesce(o.customer_id, own.id, shown.id)) INTO wanted
  FROM jsonb_to_recordset(rows) AS i(customer uuid, reverses uuid)
  LEFT JOIN movements o ON o.id = i.reverses
  LEFT JOIN customers own ON own.id = i.customer
  LEFT JOIN customers shown ON shown.public_id = i.customer;
  PERFORM 1 FROM customers c WHERE c.id = ANY (wanted) ORDER BY c.id FOR NO KEY UPDATE;
  RETURN wanted;
END $$;

-- Hands each posted movement to the job queue, where there is one.
CREATE FUNCTION announce_movements(posted uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(posted) = 0 OR to_regtype('graphile_worker.job_spec') IS NULL THEN RETURN; END IF;
  EXECUTE $jobs$
    SELECT graphile_worker.add_jobs(array_agg(
      ('movement_posted', json_build_object('movementId', id), NULL, NULL, NULL, NULL, NULL, NULL)
      ::graphile_worker.job_spec
    )) FROM unnest($1) AS id
  $jobs$ USING posted;
END $$;

-- Why a top-up, redeem, import or adjustment is refused: an outcome with its bounds, its name NULL when it may be posted.
-- `given` is the row with its customer, merchant, branch, actor and configuration; `held` the balance it meets.
CREATE FUNCTION posting_refusal(given record, held int, moment timestamptz) RETURNS posting_outcome
LANGUAGE plpgsql STABLE AS $$
DECLARE
  refusal posting_outcome;
  day_start timestamptz := qatar_day_start(moment);
BEGIN
  refusal.idx := given.idx;
  refusal.balance := held;
  IF given.type IN ('TOP_UP', 'REDEEM')
    AND (given.actor_email = given.customer_email OR given.actor_phone = given.customer_phone) THEN
    refusal.outcome := 'own_card';
  ELSIF given.points = 0 OR (given.points < 0 AND given.type <> 'ADJUSTMENT')
    OR (given.type = 'TOP_UP' AND given.points < given.min_top_up) THEN
    refusal.outcome := 'below_minimum';
    refusal.allowed := CASE given.type WHEN 'TOP_UP' THEN given.min_top_up ELSE 1 END;
  ELSIF given.type = 'TOP_UP' AND given.points > given.max_top_up THEN
    refusal.outcome := 'above_maximum';
    refusal.allowed := given.max_top_up;
  ELSIF given.type = 'REDEEM' THEN
    IF given.points > held THEN
      refusal.outcome := 'insufficient_balance';
    ELSIF given.proof = 'invalid' THEN
      refusal.outcome := 'proof_invalid';
    ELSIF given.proof = 'none'
      AND redeemed_unproved(given.customer_id, day_start) + given.points > given.redeem_allowance THEN
      refusal.outcome := 'proof_required';
      refusal.allowed := given.redeem_allowance;
    END IF;
  ELSIF held + given.points < 0 THEN
    refusal.outcome := 'insufficient_balance';
  ELSIF given.points > 0 AND held + given.points > given.max_balance THEN
    refusal.outcome := 'balance_limit';
    refusal.allowed := given.max_balance;
  ELSIF given.type = 'TOP_UP' AND given.actor_role = 'branch_worker' AND given.worker_daily_cap IS NOT NULL THEN
    IF worker_topped_up(given.actor, day_start) + given.points > given.worker_daily_cap THEN
      refusal.outcome := 'daily_cap';
      refusal.allowed := given.worker_daily_cap;
    END IF;
  END IF;
  RETURN refusal;
END $$;

-- The same for a reversal, whose original the row carries.
CREATE FUNCTION reversal_refusal(given record, held int, latest int, moment timestamptz) RETURNS posting_outcome
LANGUAGE plpgsql STABLE AS $$
DECLARE
  refusal posting_outcome;
BEGIN
  refusal.idx := given.idx;
  refusal.balance := held;
  IF given.original_type = 'REVERSAL' THEN
    refusal.outcome := 'not_reversible';
  ELSIF given.scope = 'own' AND moment > given.original_at + given.undo_minutes * interval '1 minute' THEN
    refusal.outcome := 'undo_expired';
  ELSIF given.scope = 'own' AND given.original_seq <> latest THEN
    refusal.outcome := 'not_latest';
  ELSIF held - given.original_points < 0 THEN
    refusal.outcome := 'already_spent';
  ELSIF given.original_points < 0 AND held - given.original_points > given.max_balance THEN
    refusal.outcome := 'balance_limit';
    refusal.allowed := given.max_balance;
  END IF;
  RETURN refusal;
END $$;

-- Whether the row may reach its customer, branch and original at all: the refusal's name, or NULL when it may.
CREATE FUNCTION reach_refusal(given record) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE
    WHEN given.customer_id IS NULL OR given.actor_role IS NULL THEN 'not_found'
    WHEN given.type = 'REVERSAL' AND given.original_type IS NULL THEN 'not_found'
    WHEN given.scope <> 'any' AND given.merchant_id IS DISTINCT FROM given.scope_merchant THEN 'not_found'
    WHEN given.scope = 'own' AND given.original_actor IS DISTINCT FROM given.actor THEN 'not_found'
    WHEN given.named_merchant <> given.merchant_id THEN 'branch_mismatch'
    WHEN given.branch_merchant IS DISTINCT FROM given.merchant_id THEN 'branch_mismatch'
    WHEN given.branch_archived AND given.type IN ('TOP_UP', 'REDEEM') THEN 'branch_mismatch'
  END;
END $$;

-- Whether merchant and customer are in a state in which money may move.
CREATE FUNCTION state_refusal(given record) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  -- An adjustment settles a card that no longer moves.
  RETURN CASE
    WHEN given.customer_status = 'erased' THEN 'customer_erased'
    WHEN given.type = 'ADJUSTMENT' THEN NULL
    WHEN given.merchant_status <> 'approved' THEN 'merchant_unavailable'
    WHEN given.customer_status = 'blocked' THEN 'customer_blocked'
    WHEN given.customer_status = 'frozen' THEN 'customer_frozen'
  END;
END $$;

-- Everything that can keep a row from being posted, in the order in which it is asked; a repeated request is answered
-- with its first result. The outcome's name is NULL when it may be posted.
CREATE FUNCTION posting_answer(given record, held int, latest int, moment timestamptz) RETURNS posting_outcome
LANGUAGE plpgsql STABLE AS $$
DECLARE
  answer posting_outcome;
  reversal uuid;
BEGIN
  answer := repeated_posting(given.idx, given.actor, given.key, given.hash);
  IF answer.outcome IS NOT NULL THEN RETURN answer; END IF;
  answer.idx := given.idx;
  answer.outcome := reach_refusal(given);
  IF answer.outcome IS NOT NULL THEN RETURN answer; END IF;
  IF given.type = 'REVERSAL' THEN
    SELECT v.id INTO reversal FROM movements v WHERE v.reverses_id = given.reverses;
    IF FOUND THEN RETURN movement_outcome(given.idx, 'replayed', reversal); END IF;
  END IF;
  answer.outcome := state_refusal(given);
  IF answer.outcome IS NOT NULL THEN RETURN answer; END IF;
  IF given.type = 'REVERSAL' THEN RETURN reversal_refusal(given, held, latest, moment); END IF;
  RETURN posting_refusal(given, held, moment);
END $$;

-- Spends the proof and inserts the movement. Answers posted, or what a race decided against it.
CREATE FUNCTION insert_movement(given record, held int, latest int, moment timestamptz) RETURNS posting_outcome
LANGUAGE plpgsql SET wallet.posting = 'on' AS $$
DECLARE
  answer posting_outcome;
BEGIN
  answer.idx := given.idx;
  answer.points := CASE given.type
    WHEN 'REVERSAL' THEN -given.original_points WHEN 'REDEEM' THEN -given.points ELSE given.points END;
  answer.balance_after := held + answer.points;
  answer.seq := latest + 1;
  -- What is reversed is taken back at what it was worth.
  answer.rate := CASE given.type WHEN 'REVERSAL' THEN given.original_rate ELSE given.dirhams_per_point END;
  IF given.type = 'REDEEM' AND given.proof <> 'none' THEN
    INSERT INTO proof_uses (customer_id, reference, used_at) VALUES (given.customer_id, given.proof_ref, moment)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      answer.outcome := 'proof_invalid';
      RETURN answer;
    END IF;
  END IF;
  INSERT INTO movements (customer_id, merchant_id, branch_id, actor_id, type, points, balance_after, rate, seq,
    idempotency_key, request_hash, reverses_id, reason, proof, created_at)
  VALUES (given.customer_id, given.merchant_id, given.branch_id, given.actor, given.type, answer.points,
    answer.balance_after, answer.rate, answer.seq, given.key, given.hash, given.reverses, given.reason,
    CASE given.type WHEN 'REDEEM' THEN given.proof::"ProofKind" ELSE 'none' END, moment)
  ON CONFLICT (actor_id, idempotency_key) DO NOTHING
  RETURNING id INTO answer.movement_id;
  -- Another transaction posted the same key for another customer a moment ago.
  IF NOT FOUND THEN
    answer := repeated_posting(given.idx, given.actor, given.key, given.hash);
    IF given.type = 'REDEEM' AND given.proof <> 'none' THEN
      DELETE FROM proof_uses WHERE customer_id = given.customer_id AND reference = given.proof_ref;
    END IF;
    RETURN answer;
  END IF;
  answer.outcome := 'posted';
  answer.balance := answer.balance_after;
  answer.type := given.type;
  answer.created_at := moment;
  answer.reason := given.reason;
  answer.reverses_id := given.reverses;
  answer.customer_id := given.customer_id;
  answer.public_id := given.public_id;
  answer.full_name := given.full_name;
  answer.branch_id := given.branch_id;
  answer.branch_name := given.branch_name;
  answer.actor_id := given.actor;
  answer.actor_name := given.actor_name;
  answer.undo_until := CASE WHEN given.type IN ('TOP_UP', 'REDEEM')
    THEN moment + given.undo_minutes * interval '1 minute' END;
  RETURN answer;
END $$;

CREATE FUNCTION set_balance(customer uuid, held int, latest int) RETURNS void LANGUAGE sql
SET wallet.posting = 'on' AS $$
  UPDATE customers SET balance = held, movement_count = latest WHERE id = customer
$$;

/*
  The only writer of movements and balances. One outcome a row, none fails its neighbours; `quiet` announces nothing
  (for imports of the past). Rows:
    idx int                 comes back in the outcome
    type                    TOP_UP, REDEEM, REVERSAL, IMPORT, ADJUSTMENT
    customer, branch        the customer's private or public id, the branch (a reversal takes them from `reverses`)
    actor, key, hash        who asks; the idempotency key; the request's hash
    scope, scope_merchant   'any', 'merchant' or 'own' (a reversal of the actor's own movement), and of which merchant
    named_merchant          the merchant that the request names, or null
    points                  unsigned, but for an ADJUSTMENT
    reverses, reason        the movement to reverse, and why
    proof, proof_ref        'none', 'live_code', 'mailed_code' or 'invalid'; what may be spent once a customer
    at                      when, or null: the database's clock once the locks are held
*/
CREATE FUNCTION post_movements(rows jsonb, quiet boolean DEFAULT false) RETURNS SETOF posting_outcome
LANGUAGE plpgsql
-- A plan made while the tables were small must stay right as they grow: always by index.
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  locked uuid[] := lock_for_posting(rows);
  now_locked timestamptz := clock_timestamp();
  moment timestamptz;
  given record;
  answer posting_outcome;
  posted uuid[] := '{}';
  customer uuid;
  held int;
  latest int;
  moved boolean := false;
BEGIN
  FOR given IN
    SELECT i.*,
      c.id AS customer_id, c.public_id, c.full_name, c.email AS customer_email, c.phone AS customer_phone,
      c.merchant_id, c.status AS customer_status, c.balance AS stored_balance, c.movement_count,
      s.status AS merchant_status, s.redeem_allowance,
      p.dirhams_per_point, p.min_top_up, p.max_top_up, p.max_balance, p.undo_minutes, p.worker_daily_cap,
      b.id AS branch_id, b.name AS branch_name, b.merchant_id AS branch_merchant,
      b.archived_at IS NOT NULL AS branch_archived,
      u.role AS actor_role, u.email AS actor_email, u.phone AS actor_phone,
      u.first_name || ' ' || u.last_name AS actor_name,
      o.type AS original_type, o.points AS original_points, o.rate AS original_rate, o.seq AS original_seq,
      o.actor_id AS original_actor, o.created_at AS original_at
    FROM jsonb_to_recordset(rows) AS i(idx int, type "MovementType", customer uuid, branch uuid, actor uuid,
      scope text, scope_merchant uuid, named_merchant uuid, points bigint, reverses uuid, reason text, key text,
      hash text, proof text, proof_ref text, at timestamptz)
    LEFT JOIN movements o ON o.id = i.reverses
    LEFT JOIN customers own ON own.id = i.customer
    LEFT JOIN customers shown ON shown.public_id = i.customer
    -- Only what is locked: a customer who came since the locks were taken is not there yet.
    LEFT JOIN customers c ON c.id = coalesce(o.customer_id, own.id, shown.id) AND c.id = ANY (locked)
    LEFT JOIN merchants s ON s.id = c.merchant_id
    LEFT JOIN LATERAL points_config_in_force(c.merchant_id) p ON true
    LEFT JOIN branches b ON b.id = coalesce(o.branch_id, i.branch)
    LEFT JOIN users u ON u.id = i.actor
    ORDER BY c.id NULLS LAST, i.idx
  LOOP
    IF given.customer_id IS DISTINCT FROM customer THEN
      IF moved THEN PERFORM set_balance(customer, held, latest); END IF;
      customer := given.customer_id;
      held := given.stored_balance;
      latest := given.movement_count;
      moved := false;
    END IF;
    moment := coalesce(given.at, now_locked);
    answer := posting_answer(given, held, latest, moment);
    IF answer.outcome IS NULL THEN answer := insert_movement(given, held, latest, moment); END IF;
    IF answer.outcome = 'posted' THEN
      held := answer.balance_after;
      latest := answer.seq;
      moved := true;
      posted := posted || answer.movement_id;
    END IF;
    RETURN NEXT answer;
  END LOOP;
  IF moved THEN PERFORM set_balance(customer, held, latest); END IF;
  IF NOT quiet THEN PERFORM announce_movements(posted); END IF;
END $$;
