-- Movements and audits say who acted: a user, an API key, the card's holder or the system itself.

CREATE TYPE "ActorType" AS ENUM ('user', 'api_key', 'card_holder', 'system');

-- Movements ------------------------------------------------------------------------------------------------------

ALTER TABLE "movements"
  ADD COLUMN "actor_type" "ActorType" NOT NULL DEFAULT 'user',
  ADD COLUMN "api_key_id" uuid,
  ALTER COLUMN "actor_id" DROP NOT NULL,
  ALTER COLUMN "branch_id" DROP NOT NULL;
ALTER TABLE "movements" ALTER COLUMN "actor_type" DROP DEFAULT;

-- daily_sums holds what happened at no branch too, which a primary key cannot.
ALTER TABLE "daily_sums"
  DROP CONSTRAINT "daily_sums_pkey",
  ALTER COLUMN "branch_id" DROP NOT NULL,
  ADD COLUMN "id" uuid NOT NULL DEFAULT uuidv7(),
  ADD CONSTRAINT "daily_sums_pkey" PRIMARY KEY ("id");
CREATE UNIQUE INDEX "daily_sums_merchant_id_day_branch_id_type_key"
  ON "daily_sums" ("merchant_id", "day", "branch_id", "type") NULLS NOT DISTINCT;

-- What a customer gave up with a deleted card was posted in the owner's name at the last branch: it was the card
-- holder, at no branch. The sums of those days follow.
CREATE TEMPORARY TABLE "given_up" AS
  SELECT id, merchant_id, branch_id, (created_at AT TIME ZONE 'Asia/Qatar')::date AS day, points
  FROM "movements"
  WHERE "type" = 'ADJUSTMENT' AND "reason" = 'Given up by the customer, who deleted the card';

ALTER TABLE "movements" DISABLE TRIGGER "movements_no_change";
UPDATE "movements" m SET "actor_type" = 'card_holder', "actor_id" = NULL, "branch_id" = NULL
FROM "given_up" g WHERE m."id" = g."id";
ALTER TABLE "movements" ENABLE TRIGGER "movements_no_change";

WITH moved AS (
  SELECT merchant_id, day, branch_id, count(*)::int AS movements, sum(points) AS points
  FROM "given_up" GROUP BY 1, 2, 3
), taken AS (
  UPDATE "daily_sums" d SET "movements" = d."movements" - o.movements, "points" = d."points" - o.points
  FROM moved o
  WHERE d."merchant_id" = o.merchant_id AND d."day" = o.day AND d."branch_id" = o.branch_id AND d."type" = 'ADJUSTMENT'
  RETURNING d."merchant_id", d."day", o.movements, o.points
)
INSERT INTO "daily_sums" ("merchant_id", "day", "branch_id", "type", "movements", "points")
SELECT merchant_id, day, NULL, 'ADJUSTMENT', sum(movements), sum(points) FROM taken GROUP BY 1, 2;
DELETE FROM "daily_sums" WHERE "type" = 'ADJUSTMENT' AND "movements" <= 0;
DROP TABLE "given_up";

ALTER TABLE "movements" ADD CONSTRAINT "movements_actor" CHECK (
  CASE "actor_type"
    WHEN 'user' THEN "actor_id" IS NOT NULL AND "branch_id" IS NOT NULL AND "api_key_id" IS NULL
    WHEN 'api_key' THEN "api_key_id" IS NOT NULL AND "branch_id" IS NOT NULL AND "actor_id" IS NULL
    WHEN 'card_holder' THEN "actor_id" IS NULL AND "api_key_id" IS NULL AND "branch_id" IS NULL
    WHEN 'system' THEN "actor_id" IS NULL AND "api_key_id" IS NULL
    ELSE false
  END
);

-- The idempotency key of those who are no user.
CREATE UNIQUE INDEX "movements_customer_id_idempotency_key_key" ON "movements" ("customer_id", "idempotency_key")
  WHERE "actor_id" IS NULL;

-- Audits ---------------------------------------------------------------------------------------------------------

-- Without an actor_type it was a stranger: somebody who signed up.
ALTER TABLE "audits"
  ADD COLUMN "actor_type" "ActorType",
  ADD COLUMN "api_key_id" uuid,
  ADD COLUMN "customer_id" uuid,
  ADD COLUMN "job" text;

UPDATE "audits" SET "actor_type" = 'user' WHERE "actor_id" IS NOT NULL;
UPDATE "audits" a SET "actor_type" = 'card_holder', "customer_id" = c."id"
FROM "customers" c
WHERE a."actor_id" IS NULL AND a."entity" = 'customer' AND a."entity_id" = c."id"::text
  AND a."action" IN ('customer.email', 'customer.erased', 'customer.frozen');

ALTER TABLE "audits" ADD CONSTRAINT "audits_actor" CHECK (
  CASE "actor_type"
    WHEN 'user' THEN "actor_id" IS NOT NULL AND num_nonnulls("api_key_id", "customer_id", "job") = 0
    WHEN 'api_key' THEN "api_key_id" IS NOT NULL AND num_nonnulls("actor_id", "customer_id", "job") = 0
    WHEN 'card_holder' THEN "customer_id" IS NOT NULL AND num_nonnulls("actor_id", "api_key_id", "job") = 0
    WHEN 'system' THEN "job" IS NOT NULL AND num_nonnulls("actor_id", "api_key_id", "customer_id") = 0
    ELSE num_nonnulls("actor_id", "api_key_id", "customer_id", "job") = 0
  END
);

-- Who acted is never taken off an audit.
ALTER TABLE "audits" DROP CONSTRAINT "audits_actor_id_fkey";
ALTER TABLE "audits" ADD CONSTRAINT "audits_actor_id_fkey"
  FOREIGN KEY ("actor_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "audits" ADD CONSTRAINT "audits_customer_id_fkey"
  FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "audits_customer_id_idx" ON "audits"("customer_id");

-- Posting --------------------------------------------------------------------------------------------------------

-- A movement that stands already, as an outcome: branch and actor are NULL where it has none.
CREATE OR REPLACE FUNCTION movement_outcome(idx int, outcome text, movement uuid) RETURNS posting_outcome
LANGUAGE sql STABLE AS $$
  SELECT ROW(
    idx, outcome, NULL, m.balance_after, m.id, m.type, m.points, m.balance_after, m.rate, m.seq, m.created_at,
    m.reason, m.reverses_id, c.id, c.public_id, c.full_name, b.id, b.name, u.id, u.first_name || ' ' || u.last_name,
    CASE WHEN m.type IN ('TOP_UP', 'REDEEM') AND v.id IS NULL
      THEN m.created_at + p.undo_minutes * interval '1 minute' END
  )::posting_outcome
  FROM movements m
  JOIN customers c ON c.id = m.customer_id
  LEFT JOIN branches b ON b.id = m.branch_id
  LEFT JOIN users u ON u.id = m.actor_id
  LEFT JOIN movements v ON v.reverses_id = m.id
  CROSS JOIN LATERAL points_config_in_force(m.merchant_id) p
  WHERE m.id = movement
$$;

-- Answers with the first result when the key is known, with key_reused when it named another request. A key belongs to
-- the user who posts; those who are no user share the customer's.
DROP FUNCTION repeated_posting(int, uuid, text, text);
CREATE FUNCTION repeated_posting(given record) RETURNS posting_outcome
LANGUAGE plpgsql STABLE AS $$
DECLARE
  earlier movements;
  refusal posting_outcome;
BEGIN
  IF given.actor IS NOT NULL THEN
    SELECT m.* INTO earlier FROM movements m WHERE m.actor_id = given.actor AND m.idempotency_key = given.key;
  ELSE
    SELECT m.* INTO earlier FROM movements m
    WHERE m.actor_id IS NULL AND m.customer_id = given.customer_id AND m.idempotency_key = given.key;
  END IF;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- Nobody is answered with what somebody else posted.
  IF earlier.request_hash = given.hash AND earlier.actor_type = given.kind
    AND earlier.api_key_id IS NOT DISTINCT FROM given.api_key THEN
    RETURN movement_outcome(given.idx, 'replayed', earlier.id);
  END IF;
  refusal.idx := given.idx;
  refusal.outcome := 'key_reused';
  RETURN refusal;
END $$;

-- Whether the row may reach its customer, branch and original at all: the refusal's name, or NULL when it may.
CREATE OR REPLACE FUNCTION reach_refusal(given record) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE
    WHEN given.customer_id IS NULL THEN 'not_found'
    WHEN given.kind = 'user' AND given.actor_role IS NULL THEN 'not_found'
    WHEN given.type = 'REVERSAL' AND given.original_type IS NULL THEN 'not_found'
    WHEN given.scope <> 'any' AND given.merchant_id IS DISTINCT FROM given.scope_merchant THEN 'not_found'
    WHEN given.scope = 'own' AND (given.actor IS NULL OR given.original_actor IS DISTINCT FROM given.actor)
      THEN 'not_found'
    WHEN given.named_merchant <> given.merchant_id THEN 'branch_mismatch'
    WHEN given.kind = 'card_holder' AND given.branch_id IS NOT NULL THEN 'branch_mismatch'
    -- A card holder stands at no branch, the system at none unless it names one; a reversal where its original did.
    WHEN given.branch_id IS NULL AND given.branch IS NULL
      AND (given.kind IN ('card_holder', 'system') OR given.type = 'REVERSAL') THEN NULL
    WHEN given.branch_merchant IS DISTINCT FROM given.merchant_id THEN 'branch_mismatch'
    WHEN given.branch_archived AND given.type IN ('TOP_UP', 'REDEEM') THEN 'branch_mismatch'
  END;
END $$;

-- Why a reversal, whose original the row carries, is refused: an outcome, its name NULL when it may be posted.
CREATE OR REPLACE FUNCTION reversal_refusal(given record, held int, latest int, moment timestamptz)
RETURNS posting_outcome LANGUAGE plpgsql STABLE AS $$
DECLARE
  refusal posting_outcome;
BEGIN
  refusal.idx := given.idx;
  refusal.balance := held;
  -- A user and a key stand at a branch: what was posted at none is not theirs to reverse.
  IF given.original_type = 'REVERSAL' OR (given.branch_id IS NULL AND given.kind IN ('user', 'api_key')) THEN
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

-- Everything that can keep a row from being posted, in the order in which it is asked; a repeated request is answered
-- with its first result. The outcome's name is NULL when it may be posted.
CREATE OR REPLACE FUNCTION posting_answer(given record, held int, latest int, moment timestamptz)
RETURNS posting_outcome LANGUAGE plpgsql STABLE AS $$
DECLARE
  answer posting_outcome;
  reversal uuid;
BEGIN
  answer := repeated_posting(given);
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
CREATE OR REPLACE FUNCTION insert_movement(given record, held int, latest int, moment timestamptz)
RETURNS posting_outcome LANGUAGE plpgsql SET wallet.posting = 'on' AS $$
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
  INSERT INTO movements (customer_id, merchant_id, branch_id, actor_type, actor_id, api_key_id, type,
    points, balance_after, rate, seq,
    idempotency_key, request_hash, reverses_id, reason, proof, created_at)
  VALUES (given.customer_id, given.merchant_id, given.branch_id, given.kind, given.actor, given.api_key, given.type,
    answer.points, answer.balance_after, answer.rate, answer.seq, given.key, given.hash, given.reverses, given.reason,
    CASE given.type WHEN 'REDEEM' THEN given.proof::"ProofKind" ELSE 'none' END, moment)
  -- A key without a user belongs to the customer, whose lock is held: only a user's can be taken meanwhile.
  ON CONFLICT (actor_id, idempotency_key) DO NOTHING
  RETURNING id INTO answer.movement_id;
  -- Another transaction posted the same key for another customer a moment ago.
  IF NOT FOUND THEN
    answer := repeated_posting(given);
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

/*
  The only writer of movements and balances. One outcome a row, none fails its neighbours; `quiet` announces nothing
  (for imports of the past). Rows:
    idx int                 comes back in the outcome
    type                    TOP_UP, REDEEM, REVERSAL, IMPORT, ADJUSTMENT
    customer, branch        the customer's private or public id, the branch (a reversal takes them from `reverses`);
                            a card holder has no branch, the system may have none
    actor_type              'user' (when absent), 'api_key', 'card_holder' or 'system'
    actor, api_key          the user, or the key; neither for a card holder and the system
    key, hash               the idempotency key; the request's hash
    scope, scope_merchant   'any', 'merchant' or 'own' (a reversal of the actor's own movement), and of which merchant
    named_merchant          the merchant that the request names, or null
    points                  unsigned, but for an ADJUSTMENT
    reverses, reason        the movement to reverse, and why
    proof, proof_ref        'none', 'live_code', 'mailed_code' or 'invalid'; what may be spent once a customer
    at                      when, or null: the database's clock once the locks are held
*/
CREATE OR REPLACE FUNCTION post_movements(rows jsonb, quiet boolean DEFAULT false) RETURNS SETOF posting_outcome
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
    SELECT i.*, coalesce(i.actor_type, 'user')::"ActorType" AS kind,
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
      actor_type text, api_key uuid, scope text, scope_merchant uuid, named_merchant uuid, points bigint, reverses uuid,
      reason text, key text, hash text, proof text, proof_ref text, at timestamptz)
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
