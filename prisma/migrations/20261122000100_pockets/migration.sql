-- What each point is: tender and sale of a movement, paid and bonus points, lots of bonus, texts that can be erased.
-- Posting follows in the next migration. What stands today is paid, its top-ups in cash.

CREATE TYPE "Tender" AS ENUM ('cash', 'card', 'bank', 'online', 'other');
CREATE TYPE "SpendOrder" AS ENUM ('bonus_first', 'paid_first');

-- Settings that posting reads ------------------------------------------------------------------------------------

ALTER TABLE "merchants"
  ADD COLUMN "spend_order" "SpendOrder" NOT NULL DEFAULT 'bonus_first',
  -- For how many days a worker may refund a redemption; 0: only owners refund.
  ADD COLUMN "refund_days" INTEGER NOT NULL DEFAULT 0,
  -- Money stands still while it is set, expiry too. Beside "status", which keeps its meaning.
  ADD COLUMN "suspended_at" TIMESTAMPTZ(6),
  ADD COLUMN "suspension_reason" TEXT,
  ADD CONSTRAINT "merchants_refund_days" CHECK ("refund_days" BETWEEN 0 AND 3650),
  ADD CONSTRAINT "merchants_suspension" CHECK ("suspended_at" IS NOT NULL OR "suspension_reason" IS NULL);

-- Customers ------------------------------------------------------------------------------------------------------

ALTER TABLE "customers"
  -- The part of "balance" that is bonus; the rest is paid. The sum of the customer's lots.
  ADD COLUMN "bonus" INTEGER NOT NULL DEFAULT 0,
  -- When the last movement was posted: the next one is never earlier.
  ADD COLUMN "last_posted_at" TIMESTAMPTZ(6),
  -- What was redeemed without proof on that day (Asia/Qatar), less what was reversed since.
  ADD COLUMN "unproved_on" DATE,
  ADD COLUMN "unproved" INTEGER NOT NULL DEFAULT 0,
  ADD CONSTRAINT "customers_bonus" CHECK ("bonus" BETWEEN 0 AND "balance");

ALTER TABLE "customers" DISABLE TRIGGER USER;
UPDATE "customers" c SET "last_posted_at" = m.at,
  "unproved_on" = (m.at AT TIME ZONE 'Asia/Qatar')::date,
  "unproved" = redeemed_unproved(c.id, qatar_day_start(m.at))
FROM (SELECT customer_id, max(created_at) AS at FROM movements GROUP BY 1) m WHERE m.customer_id = c.id;
ALTER TABLE "customers" ENABLE TRIGGER USER;

-- Movements ------------------------------------------------------------------------------------------------------

ALTER TABLE "movements"
  ADD COLUMN "tender" "Tender",
  ADD COLUMN "sale_ref" TEXT,
  -- The counter's clock; "created_at" is the database's, and orders.
  ADD COLUMN "occurred_at" TIMESTAMPTZ(6),
  ADD COLUMN "paid_points" INTEGER,
  ADD COLUMN "bonus_points" INTEGER NOT NULL DEFAULT 0,
  -- The bonus in "balance_after".
  ADD COLUMN "bonus_after" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "refunds_id" UUID,
  -- What kind of movement a REVERSAL undoes: sums count it there.
  ADD COLUMN "reverses_type" "MovementType",
  -- What a point of "balance_after" was worth then, in dirhams: "rate" of a REVERSAL or REFUND is its original's.
  ADD COLUMN "balance_rate" INTEGER,
  ADD COLUMN "proof_ref" TEXT,
  -- The names as they were. Not a card holder's, which can be erased.
  ADD COLUMN "actor_name" TEXT,
  ADD COLUMN "branch_name" TEXT,
  -- sha256 of the salt and the reason in movement_texts; stays when those are erased.
  ADD COLUMN "text_hash" BYTEA,
  -- The transaction that posted it, for the order of the seals.
  ADD COLUMN "tx" BIGINT NOT NULL DEFAULT 0;

-- People's free text stands beside the movement, so that it can be erased without touching what is sealed.
CREATE TABLE "movement_texts" (
    "movement_id" UUID NOT NULL,
    "salt" BYTEA NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "movement_texts_pkey" PRIMARY KEY ("movement_id")
);
INSERT INTO "movement_texts" SELECT id, uuid_send(gen_random_uuid()), reason FROM "movements" WHERE reason IS NOT NULL;

-- One rewrite of the table gives the rows that stand their new values: it fires no trigger and leaves no dead rows.
CREATE FUNCTION text_hash_of(movement uuid) RETURNS bytea LANGUAGE sql STABLE AS
  'SELECT sha256(salt || convert_to(reason, ''UTF8'')) FROM movement_texts WHERE movement_id = movement';
CREATE FUNCTION staff_name(staff uuid) RETURNS text LANGUAGE sql STABLE AS
  'SELECT first_name || '' '' || last_name FROM users WHERE id = staff';
CREATE FUNCTION name_of_branch(branch uuid) RETURNS text LANGUAGE sql STABLE AS
  'SELECT name FROM branches WHERE id = branch';
-- Read before the rewrite, which cannot read the table that it writes.
CREATE TEMPORARY TABLE reversed_types AS
  SELECT v.id, o.type FROM movements v JOIN movements o ON o.id = v.reverses_id;
CREATE UNIQUE INDEX ON reversed_types (id);
CREATE FUNCTION reversed_type(movement uuid) RETURNS "MovementType" LANGUAGE sql STABLE AS
  'SELECT type FROM reversed_types WHERE id = movement';
ALTER TABLE "movements"
  ALTER COLUMN "tender" TYPE "Tender" USING CASE WHEN type = 'TOP_UP' THEN 'cash'::"Tender" END,
  ALTER COLUMN "occurred_at" TYPE TIMESTAMPTZ(6) USING created_at,
  ALTER COLUMN "paid_points" TYPE INTEGER USING points,
  ALTER COLUMN "balance_rate" TYPE INTEGER USING rate,
  ALTER COLUMN "reverses_type" TYPE "MovementType" USING CASE WHEN type = 'REVERSAL' THEN reversed_type(id) END,
  ALTER COLUMN "actor_name" TYPE TEXT USING staff_name(actor_id),
  ALTER COLUMN "branch_name" TYPE TEXT USING name_of_branch(branch_id),
  ALTER COLUMN "text_hash" TYPE BYTEA USING CASE WHEN reason IS NOT NULL THEN text_hash_of(id) END,
  -- Stays, always null, while servers of the release before may still read it.
  ALTER COLUMN "reason" TYPE TEXT USING NULL;
DROP FUNCTION text_hash_of(uuid);
DROP FUNCTION staff_name(uuid);
DROP FUNCTION name_of_branch(uuid);
DROP FUNCTION reversed_type(uuid);
DROP TABLE reversed_types;

ALTER TABLE "movements"
  ALTER COLUMN "occurred_at" SET NOT NULL,
  ALTER COLUMN "paid_points" SET NOT NULL,
  ALTER COLUMN "balance_rate" SET NOT NULL,
  DROP CONSTRAINT "movements_sign",
  DROP CONSTRAINT "movements_reverses",
  ADD CONSTRAINT "movements_sign" CHECK (
    CASE
      WHEN "type" IN ('TOP_UP', 'IMPORT', 'BONUS', 'REFUND') THEN "points" > 0
      WHEN "type" IN ('REDEEM', 'EXPIRY') THEN "points" < 0
      ELSE "points" <> 0
    END
  ),
  ADD CONSTRAINT "movements_pockets" CHECK (
    "paid_points" + "bonus_points" = "points"
    AND (("paid_points" >= 0 AND "bonus_points" >= 0) OR ("paid_points" <= 0 AND "bonus_points" <= 0))
    AND CASE
      WHEN "type" IN ('TOP_UP', 'IMPORT') THEN "bonus_points" = 0
      WHEN "type" IN ('BONUS', 'EXPIRY') THEN "paid_points" = 0
      ELSE true
    END
  ),
  ADD CONSTRAINT "movements_bonus_after" CHECK ("bonus_after" BETWEEN 0 AND "balance_after"),
  ADD CONSTRAINT "movements_tender" CHECK (("type" = 'TOP_UP') = ("tender" IS NOT NULL)),
  ADD CONSTRAINT "movements_sale_ref" CHECK (
    "sale_ref" IS NULL
    OR (length("sale_ref") BETWEEN 1 AND 64 AND "sale_ref" !~ '[[:cntrl:]]' AND "type" IN ('TOP_UP', 'REDEEM', 'REFUND'))
  ),
  ADD CONSTRAINT "movements_reverses" CHECK (
    ("type" = 'REVERSAL') = ("reverses_id" IS NOT NULL) AND ("type" = 'REVERSAL') = ("reverses_type" IS NOT NULL)
  ),
  ADD CONSTRAINT "movements_refunds" CHECK (("type" = 'REFUND') = ("refunds_id" IS NOT NULL)),
  ADD CONSTRAINT "movements_proof_ref" CHECK ("proof_ref" IS NULL OR "proof" <> 'none');

-- Lots -----------------------------------------------------------------------------------------------------------

-- What a BONUS gave, and what is left of it.
CREATE TABLE "lots" (
    -- The BONUS movement's id.
    "id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "points" INTEGER NOT NULL,
    "remaining" INTEGER NOT NULL,
    -- The end in force, exclusive; null: never. "granted_ends_at" is the end as it was given.
    "ends_at" TIMESTAMPTZ(6),
    "granted_ends_at" TIMESTAMPTZ(6),
    -- Points restored after the end made it live seven days more; once only.
    "extended" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "lots_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "lots_points" CHECK ("points" > 0 AND "remaining" BETWEEN 0 AND "points"),
    CONSTRAINT "lots_ends" CHECK (
      ("ends_at" IS NULL) = ("granted_ends_at" IS NULL) AND ("extended" OR "ends_at" IS NOT DISTINCT FROM "granted_ends_at")
    )
);
-- Readers: posting (which lots it draws, what is due) and the card (what ends next).
CREATE INDEX "lots_left" ON "lots" ("customer_id", "ends_at", "id") WHERE "remaining" > 0;
-- Reader: the nightly expiry.
CREATE INDEX "lots_due" ON "lots" ("ends_at") WHERE "remaining" > 0;

-- How much a movement took from a lot (below 0) or put into it: their sum is the movement's bonus_points, and a lot's
-- sum is what remains of it.
CREATE TABLE "lot_moves" (
    "movement_id" UUID NOT NULL,
    "lot_id" UUID NOT NULL,
    "points" INTEGER NOT NULL,
    -- The lot's new end where this movement made it live longer.
    "extended_to" TIMESTAMPTZ(6),

    CONSTRAINT "lot_moves_pkey" PRIMARY KEY ("movement_id", "lot_id"),
    CONSTRAINT "lot_moves_points" CHECK ("points" <> 0)
);
-- Reader: ledger verification, lot by lot.
CREATE INDEX "lot_moves_lot_id_idx" ON "lot_moves" ("lot_id");

-- Announcements and seals ----------------------------------------------------------------------------------------

-- Movements whose receipts and passes are still to be made: written by posting, taken by the jobs.
CREATE TABLE "posting_outbox" (
    "movement_id" UUID NOT NULL,

    CONSTRAINT "posting_outbox_pkey" PRIMARY KEY ("movement_id")
);

-- Keys whose request was answered with a reversal that stood already: they are used up like a movement's own key.
CREATE TABLE "answered_keys" (
    "actor_id" UUID NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "movement_id" UUID NOT NULL,
    "answered_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "answered_keys_pkey" PRIMARY KEY ("actor_id", "idempotency_key")
);

-- One SHA-256 chain a merchant. A seal covers the merchant's movements with from_tx <= tx < to_tx in the order
-- (tx, customer_id, seq), where to_tx is at most the transaction horizon when it was made:
-- pg_snapshot_xmin(pg_current_snapshot()) with posting_tx_base() added. Every transaction below the horizon has ended,
-- so no later commit can add a movement below it. What stood before this migration has tx 0.
CREATE TABLE "seals" (
    "merchant_id" UUID NOT NULL,
    -- 1, 2, 3, … a merchant.
    "n" INTEGER NOT NULL,
    "from_tx" BIGINT NOT NULL,
    "to_tx" BIGINT NOT NULL,
    "movements" INTEGER NOT NULL,
    -- Sealed so far, this seal included.
    "total" BIGINT NOT NULL,
    "head" BYTEA NOT NULL,
    "sealed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "seals_pkey" PRIMARY KEY ("merchant_id", "n"),
    CONSTRAINT "seals_span" CHECK ("n" > 0 AND "to_tx" > "from_tx" AND "movements" > 0 AND "total" >= "movements"),
    CONSTRAINT "seals_head" CHECK (octet_length("head") = 32)
);

-- Transaction ids start anew in another cluster. After a restore there, the owner raises this constant above max(tx)
-- of movements; it is part of the schema, so that a dump keeps it.
CREATE FUNCTION posting_tx_base() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 0::bigint';
CREATE FUNCTION posting_tx() RETURNS bigint LANGUAGE sql STABLE AS
  'SELECT pg_current_xact_id()::text::bigint + posting_tx_base()';

-- Foreign keys: none sets null or cascades ------------------------------------------------------------------------

-- Branches and users of movements have a guard of their own in place of a foreign key, which would lock the same few
-- rows for every movement. Postings hold the other side of the lock, so none can name the row while it goes.
CREATE FUNCTION refuse_posted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  named boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(posting_lock());
  IF TG_TABLE_NAME = 'branches' THEN
    named := EXISTS (SELECT 1 FROM movements WHERE branch_id = OLD.id);
  ELSE
    named := EXISTS (SELECT 1 FROM movements WHERE actor_id = OLD.id);
  END IF;
  IF named THEN
    RAISE EXCEPTION USING ERRCODE = 'foreign_key_violation', TABLE = 'movements',
      CONSTRAINT = 'movements_' || TG_TABLE_NAME, MESSAGE = 'a movement names this row of ' || TG_TABLE_NAME;
  END IF;
  RETURN coalesce(NEW, OLD);
END $$;
CREATE TRIGGER "branches_keep_posted" BEFORE DELETE ON "branches" FOR EACH ROW EXECUTE FUNCTION refuse_posted();
CREATE TRIGGER "branches_keep_id" BEFORE UPDATE ON "branches"
  FOR EACH ROW WHEN (OLD."id" <> NEW."id" OR OLD."merchant_id" <> NEW."merchant_id") EXECUTE FUNCTION refuse_posted();
CREATE TRIGGER "users_keep_posted" BEFORE DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION refuse_posted();
CREATE TRIGGER "users_keep_id" BEFORE UPDATE ON "users"
  FOR EACH ROW WHEN (OLD."id" <> NEW."id") EXECUTE FUNCTION refuse_posted();
CREATE TRIGGER "branches_no_truncate" BEFORE TRUNCATE ON "branches" EXECUTE FUNCTION movements_append_only();
CREATE TRIGGER "users_no_truncate" BEFORE TRUNCATE ON "users" EXECUTE FUNCTION movements_append_only();

ALTER TABLE "movements"
  DROP CONSTRAINT "movements_customer_id_merchant_id_fkey",
  DROP CONSTRAINT IF EXISTS "movements_merchant_id_fkey",
  DROP CONSTRAINT "movements_branch_id_merchant_id_fkey",
  DROP CONSTRAINT "movements_actor_id_fkey",
  DROP CONSTRAINT "movements_reverses_id_fkey",
  -- With the customer its merchant is there too.
  ADD CONSTRAINT "movements_customer_id_merchant_id_fkey" FOREIGN KEY ("customer_id", "merchant_id")
    REFERENCES "customers"("id", "merchant_id"),
  ADD CONSTRAINT "movements_reverses_id_fkey" FOREIGN KEY ("reverses_id") REFERENCES "movements"("id"),
  ADD CONSTRAINT "movements_refunds_id_fkey" FOREIGN KEY ("refunds_id") REFERENCES "movements"("id");
ALTER TABLE "movement_texts"
  ADD CONSTRAINT "movement_texts_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id");
ALTER TABLE "lots"
  ADD CONSTRAINT "lots_id_fkey" FOREIGN KEY ("id") REFERENCES "movements"("id"),
  ADD CONSTRAINT "lots_customer_id_merchant_id_fkey" FOREIGN KEY ("customer_id", "merchant_id")
    REFERENCES "customers"("id", "merchant_id");
ALTER TABLE "lot_moves"
  ADD CONSTRAINT "lot_moves_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id"),
  ADD CONSTRAINT "lot_moves_lot_id_fkey" FOREIGN KEY ("lot_id") REFERENCES "lots"("id");
ALTER TABLE "answered_keys"
  ADD CONSTRAINT "answered_keys_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "users"("id"),
  ADD CONSTRAINT "answered_keys_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id");
ALTER TABLE "seals"
  ADD CONSTRAINT "seals_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id");
ALTER TABLE "proof_uses"
  DROP CONSTRAINT "proof_uses_customer_id_fkey",
  ADD CONSTRAINT "proof_uses_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id");
ALTER TABLE "points_configs"
  DROP CONSTRAINT "points_configs_merchant_id_fkey",
  ADD CONSTRAINT "points_configs_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id"),
  DROP CONSTRAINT "points_configs_changed_by_id_fkey",
  ADD CONSTRAINT "points_configs_changed_by_id_fkey" FOREIGN KEY ("changed_by_id") REFERENCES "users"("id");
ALTER TABLE "daily_sums"
  DROP CONSTRAINT "daily_sums_merchant_id_fkey",
  ADD CONSTRAINT "daily_sums_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id"),
  DROP CONSTRAINT "daily_sums_branch_id_fkey",
  ADD CONSTRAINT "daily_sums_branch_id_fkey" FOREIGN KEY ("branch_id") REFERENCES "branches"("id");
ALTER TABLE "merchant_days"
  DROP CONSTRAINT "merchant_days_merchant_id_fkey",
  ADD CONSTRAINT "merchant_days_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id");

-- Indexes of movements: each with its reader ----------------------------------------------------------------------
-- movements_pkey                        a movement by its id: its page, receipts, reversals
-- movements_actor_id_idempotency_key    posting: a repeated request
-- movements_customer_id_idempotency_key posting: a repeated request of somebody who is no user
-- movements_customer_id_seq             statements, a customer's movements in the log, verification
-- movements_merchant_id_created_at_id   the owner's log, its export, a merchant's day
-- movements_branch_id_created_at_id     the log of a branch
-- movements_actor_id_created_at_id      a worker's log and day, the worker's daily limit
-- movements_created_at_id               the administrator's log, sums of the days

-- By customer the log reads movements_customer_id_seq: a customer's order by time is the order by seq.
DROP INDEX "movements_customer_id_created_at_id_idx";
-- Almost every movement is a TOP_UP or REDEEM: the log of those reads the indexes by time.
DROP INDEX "movements_merchant_id_type_created_at_id_idx";
DROP INDEX "movements_type_created_at_id_idx";
-- Readers: the log filtered by one of the rarer types, of a merchant and of all.
CREATE INDEX "movements_merchant_rare_types" ON "movements" ("merchant_id", "type", "created_at" DESC, "id" DESC)
  WHERE "type" NOT IN ('TOP_UP', 'REDEEM');
CREATE INDEX "movements_rare_types" ON "movements" ("type", "created_at" DESC, "id" DESC)
  WHERE "type" NOT IN ('TOP_UP', 'REDEEM');
-- Readers: posting and the log (is it reversed, what of it was refunded).
DROP INDEX "movements_reverses_id_key";
CREATE UNIQUE INDEX "movements_reverses_id_key" ON "movements" ("reverses_id") WHERE "reverses_id" IS NOT NULL;
CREATE INDEX "movements_refunds_id" ON "movements" ("refunds_id") WHERE "refunds_id" IS NOT NULL;
-- Reader: the log's search for a bill number, from its beginning on.
CREATE INDEX "movements_sale_ref" ON "movements" (lower("sale_ref") text_pattern_ops) WHERE "sale_ref" IS NOT NULL;
-- Reader: the sealing job, which reads what was posted since the last seal.
CREATE INDEX "movements_tx" ON "movements" USING brin ("tx");

-- Only posting writes -----------------------------------------------------------------------------------------------

-- 'on' is anybody who says so (seeds); 'post' is post_movements, which has checked the maximum itself, since undoing and
-- refunding may go above it.
CREATE OR REPLACE FUNCTION only_by_posting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'only post_movements writes movements and balances: % of % is refused', TG_OP, TG_TABLE_NAME;
END $$;
CREATE FUNCTION is_posting() RETURNS boolean LANGUAGE sql STABLE AS
  $$SELECT coalesce(current_setting('wallet.posting', true) IN ('on', 'post'), false)$$;

DROP TRIGGER "movements_by_posting" ON "movements";
CREATE TRIGGER "movements_by_posting" BEFORE INSERT ON "movements"
  FOR EACH ROW WHEN (NOT is_posting()) EXECUTE FUNCTION only_by_posting();
DROP TRIGGER "customers_balance_by_posting" ON "customers";
CREATE TRIGGER "customers_balance_by_posting" BEFORE UPDATE ON "customers"
  FOR EACH ROW
  WHEN (NOT is_posting() AND (OLD."balance" <> NEW."balance" OR OLD."movement_count" <> NEW."movement_count"
    OR OLD."merchant_id" <> NEW."merchant_id" OR OLD."bonus" <> NEW."bonus"
    OR OLD."last_posted_at" IS DISTINCT FROM NEW."last_posted_at"
    OR OLD."unproved_on" IS DISTINCT FROM NEW."unproved_on" OR OLD."unproved" <> NEW."unproved"))
  EXECUTE FUNCTION only_by_posting();
DROP TRIGGER "customers_start_empty" ON "customers";
CREATE TRIGGER "customers_start_empty" BEFORE INSERT ON "customers"
  FOR EACH ROW
  WHEN (NOT is_posting() AND (NEW."balance" <> 0 OR NEW."movement_count" <> 0 OR NEW."bonus" <> 0))
  EXECUTE FUNCTION only_by_posting();
DROP TRIGGER "customers_balance_maximum" ON "customers";
CREATE TRIGGER "customers_balance_maximum" BEFORE UPDATE ON "customers"
  FOR EACH ROW
  WHEN (NEW."balance" > OLD."balance" AND current_setting('wallet.posting', true) IS DISTINCT FROM 'post')
  EXECUTE FUNCTION balance_within_maximum();

CREATE TRIGGER "lots_by_posting" BEFORE INSERT OR UPDATE ON "lots"
  FOR EACH ROW WHEN (NOT is_posting()) EXECUTE FUNCTION only_by_posting();
CREATE TRIGGER "lot_moves_by_posting" BEFORE INSERT ON "lot_moves"
  FOR EACH ROW WHEN (NOT is_posting()) EXECUTE FUNCTION only_by_posting();
CREATE TRIGGER "movement_texts_by_posting" BEFORE INSERT ON "movement_texts"
  FOR EACH ROW WHEN (NOT is_posting()) EXECUTE FUNCTION only_by_posting();

CREATE TRIGGER "answered_keys_by_posting" BEFORE INSERT OR UPDATE ON "answered_keys"
  FOR EACH ROW WHEN (NOT is_posting()) EXECUTE FUNCTION only_by_posting();

CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% are append-only: % is refused', TG_TABLE_NAME, TG_OP;
END $$;
CREATE TRIGGER "lots_no_delete" BEFORE DELETE ON "lots" FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER "lots_no_truncate" BEFORE TRUNCATE ON "lots" EXECUTE FUNCTION append_only();
CREATE TRIGGER "lot_moves_no_change" BEFORE UPDATE OR DELETE ON "lot_moves"
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER "lot_moves_no_truncate" BEFORE TRUNCATE ON "lot_moves" EXECUTE FUNCTION append_only();
CREATE TRIGGER "movement_texts_no_change" BEFORE UPDATE ON "movement_texts"
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER "movement_texts_no_truncate" BEFORE TRUNCATE ON "movement_texts" EXECUTE FUNCTION append_only();
CREATE TRIGGER "seals_no_change" BEFORE UPDATE OR DELETE ON "seals"
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER "seals_no_truncate" BEFORE TRUNCATE ON "seals" EXECUTE FUNCTION append_only();

-- Takes a customer's free texts away; the movements keep their hashes.
CREATE FUNCTION erase_movement_texts(customer uuid) RETURNS void LANGUAGE sql AS $$
  DELETE FROM movement_texts t USING movements m WHERE m.id = t.movement_id AND m.customer_id = customer
$$;
