-- Sealing: one SHA-256 chain a merchant, made beside posting, never within it.

-- How far the jobs have come in the order of transactions: what is below is sealed, or counted in the sums.
CREATE TABLE "ledger_progress" (
    "what" TEXT NOT NULL,
    "to_tx" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "ledger_progress_pkey" PRIMARY KEY ("what"),
    CONSTRAINT "ledger_progress_what" CHECK ("what" IN ('seals', 'sums'))
);
INSERT INTO "ledger_progress" ("what") VALUES ('seals'), ('sums');

-- The first four bytes of each movement's digest, in the order of the seal: they prove nothing (the head does), they name
-- the row where the head no longer agrees.
ALTER TABLE "seals" ADD COLUMN "marks" BYTEA NOT NULL DEFAULT ''::bytea;
ALTER TABLE "seals"
  ALTER COLUMN "marks" DROP DEFAULT,
  ADD CONSTRAINT "seals_marks" CHECK (octet_length("marks") = 4 * "movements");
-- Already hashes: compressing them only costs time.
ALTER TABLE "seals" ALTER COLUMN "marks" SET STORAGE EXTERNAL;

-- A row that is written otherwise (a seed's) counts as posted by its transaction too.
ALTER TABLE "movements" ALTER COLUMN "tx" SET DEFAULT posting_tx();

-- Pages are in the index as soon as they are full, so that a minute's movements are found without reading the rest.
ALTER INDEX "movements_tx" SET (autosummarize = on, pages_per_range = 32);

-- Every transaction below the horizon has ended: no later commit can add a movement there.
CREATE FUNCTION transaction_horizon() RETURNS bigint LANGUAGE sql VOLATILE AS
  'SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + posting_tx_base()';

/*
  What of each movement is sealed, as SHA-256 of a text: the row in Postgres's own notation, which quotes what could be
  mistaken for a separator; times in seconds of the epoch; then its moves of lots in the order of their ids, and of a
  BONUS the lot as it was given. Free texts are in it by their salted hash.
*/
CREATE VIEW "sealed_movements" AS
SELECT m.id, m.merchant_id, m.customer_id, m.seq, m.tx, sha256(convert_to(ROW(
    m.id, m.customer_id, m.merchant_id, m.branch_id, m.actor_type, m.actor_id, m.api_key_id, m.type, m.points,
    m.paid_points, m.bonus_points, m.balance_after, m.bonus_after, m.rate, m.balance_rate, m.seq, m.idempotency_key,
    m.request_hash, m.reverses_id, m.reverses_type, m.refunds_id, m.tender, m.sale_ref, m.proof, m.proof_ref,
    m.actor_name, m.branch_name, encode(m.text_hash, 'hex'), m.tx,
    extract(epoch FROM m.occurred_at), extract(epoch FROM m.created_at),
    CASE WHEN m.bonus_points <> 0 THEN (
      SELECT string_agg(concat_ws(' ', l.lot_id, l.points, extract(epoch FROM l.extended_to)), ',' ORDER BY l.lot_id)
      FROM lot_moves l WHERE l.movement_id = m.id
    ) END,
    CASE m.type WHEN 'BONUS' THEN (
      SELECT concat_ws(' ', l.points, extract(epoch FROM l.granted_ends_at)) FROM lots l WHERE l.id = m.id
    ) END
  )::text, 'UTF8')) AS digest
FROM movements m;

-- A seal's head: the head before it, which seal it is, and the digests of its blocks of 1,000 movements.
CREATE FUNCTION seal_head(previous bytea, merchant uuid, n int, from_tx bigint, to_tx bigint, movements int, blocks bytea)
RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(previous || uuid_send(merchant) || int4send(n) || int8send(from_tx) || int8send(to_tx)
    || int4send(movements) || blocks)
$$;
CREATE FUNCTION first_head() RETURNS bytea LANGUAGE sql IMMUTABLE AS $$ SELECT decode(repeat('00', 32), 'hex') $$;

-- Seals what was posted since the last time, up to the transaction horizon: one seal a merchant, of one merchant where
-- it is named. Answers how many movements. One call at a time; others wait.
CREATE FUNCTION seal_movements(only_merchant uuid DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql
-- The bounds decide the plan: next to nothing each minute, everything the first time.
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  horizon bigint;
  since bigint;
  sealed bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('seal movements', 0));
  -- In statements of their own: the rows are read by a snapshot that is not older than the horizon.
  horizon := transaction_horizon();
  SELECT to_tx INTO since FROM ledger_progress WHERE what = 'seals';
  IF horizon < since THEN
    RAISE EXCEPTION 'transaction ids began anew at %: raise posting_tx_base() above %', horizon, since;
  END IF;
  WITH digests AS MATERIALIZED (
    SELECT v.merchant_id, v.tx, v.customer_id, v.seq, v.digest FROM sealed_movements v
    WHERE v.tx >= since AND v.tx < horizon AND (only_merchant IS NULL OR v.merchant_id = only_merchant)
  ), last AS MATERIALIZED (
    SELECT f.merchant_id, coalesce(s.n, 0) AS n, coalesce(s.to_tx, 0) AS to_tx, coalesce(s.total, 0) AS total,
      coalesce(s.head, first_head()) AS head
    FROM (SELECT DISTINCT merchant_id FROM digests) f LEFT JOIN LATERAL (
      SELECT * FROM seals WHERE seals.merchant_id = f.merchant_id ORDER BY seals.n DESC LIMIT 1
    ) s ON true
  ), numbered AS (
    SELECT d.merchant_id, d.digest,
      row_number() OVER (PARTITION BY d.merchant_id ORDER BY d.tx, d.customer_id, d.seq) AS place
    FROM digests d JOIN last l ON l.merchant_id = d.merchant_id AND d.tx >= l.to_tx
  ), blocks AS (
    SELECT merchant_id, (place - 1) / 1000 AS block, count(*) AS movements,
      sha256(string_agg(digest, ''::bytea ORDER BY place)) AS digest,
      string_agg(substring(digest FROM 1 FOR 4), ''::bytea ORDER BY place) AS marks
    FROM numbered GROUP BY 1, 2
  ), whole AS (
    SELECT merchant_id, sum(movements)::int AS movements, string_agg(digest, ''::bytea ORDER BY block) AS blocks,
      string_agg(marks, ''::bytea ORDER BY block) AS marks
    FROM blocks GROUP BY 1
  ), made AS (
    INSERT INTO seals (merchant_id, n, from_tx, to_tx, movements, total, head, marks)
    SELECT l.merchant_id, l.n + 1, l.to_tx, horizon, w.movements, l.total + w.movements,
      seal_head(l.head, l.merchant_id, l.n + 1, l.to_tx, horizon, w.movements, w.blocks), w.marks
    FROM whole w JOIN last l ON l.merchant_id = w.merchant_id
    RETURNING movements
  )
  SELECT coalesce(sum(movements), 0) INTO sealed FROM made;
  IF only_merchant IS NULL THEN
    UPDATE ledger_progress SET to_tx = horizon WHERE what = 'seals' AND to_tx < horizon;
  END IF;
  RETURN sealed;
END $$;

-- Only sealing writes seals.
CREATE TRIGGER "ledger_progress_no_truncate" BEFORE TRUNCATE ON "ledger_progress" EXECUTE FUNCTION append_only();
CREATE TRIGGER "ledger_progress_no_delete" BEFORE DELETE ON "ledger_progress"
  FOR EACH ROW EXECUTE FUNCTION append_only();

-- The daily e-mail with the chain's head: once a merchant and day.
CREATE TABLE "seal_mails" (
    "merchant_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "n" INTEGER NOT NULL,

    CONSTRAINT "seal_mails_pkey" PRIMARY KEY ("merchant_id", "day"),
    CONSTRAINT "seal_mails_merchant_id_n_fkey" FOREIGN KEY ("merchant_id", "n") REFERENCES "seals"("merchant_id", "n")
);
