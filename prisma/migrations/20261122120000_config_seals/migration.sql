-- The points configuration is part of the proof: each version is chained when it is made, one chain a merchant and one for
-- the platform, and the seals of movements cover the heads of both.

CREATE TABLE "config_seals" (
    "config_id" UUID NOT NULL,
    -- Null: the platform's.
    "merchant_id" UUID,
    "version" INTEGER NOT NULL,
    -- SHA-256 of the head before it and of the version's digest.
    "head" BYTEA NOT NULL,

    CONSTRAINT "config_seals_pkey" PRIMARY KEY ("config_id"),
    CONSTRAINT "config_seals_head" CHECK (octet_length("head") = 32),
    CONSTRAINT "config_seals_config_id_fkey" FOREIGN KEY ("config_id") REFERENCES "points_configs"("id")
);
-- Readers: the next version's trigger, the sealing job, verification.
CREATE UNIQUE INDEX "config_seals_merchant_id_version_key"
  ON "config_seals" ("merchant_id", "version") NULLS NOT DISTINCT;

-- What of each version is sealed: every column, as in sealed_movements.
CREATE VIEW "sealed_configs" AS
SELECT c.id, c.merchant_id, c.version, sha256(convert_to(ROW(
    c.id, c.merchant_id, c.version, c.dirhams_per_point, c.min_top_up, c.max_top_up, c.max_balance, c.undo_minutes,
    c.worker_daily_cap, c.withdrawn, c.changed_by_id, extract(epoch FROM c.created_at)
  )::text, 'UTF8')) AS digest
FROM points_configs c;

CREATE FUNCTION chain_config() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  last config_seals;
BEGIN
  SELECT * INTO last FROM config_seals s
  WHERE s.merchant_id = NEW.merchant_id OR (NEW.merchant_id IS NULL AND s.merchant_id IS NULL)
  ORDER BY s.version DESC LIMIT 1;
  IF last.version >= NEW.version THEN
    RAISE EXCEPTION 'version % of the configuration comes after version %', NEW.version, last.version;
  END IF;
  INSERT INTO config_seals (config_id, merchant_id, version, head)
  SELECT v.id, v.merchant_id, v.version, sha256(coalesce(last.head, first_head()) || v.digest)
  FROM sealed_configs v WHERE v.id = NEW.id;
  RETURN NULL;
END $$;

-- What stands is chained as it is now.
DO $$
DECLARE
  c record;
  head bytea;
  chained uuid;
BEGIN
  FOR c IN SELECT * FROM sealed_configs ORDER BY merchant_id NULLS FIRST, version LOOP
    IF head IS NULL OR c.merchant_id IS DISTINCT FROM chained THEN head := first_head(); END IF;
    chained := c.merchant_id;
    head := sha256(head || c.digest);
    INSERT INTO config_seals VALUES (c.id, c.merchant_id, c.version, head);
  END LOOP;
END $$;
CREATE TRIGGER "points_configs_chained" AFTER INSERT ON "points_configs"
  FOR EACH ROW EXECUTE FUNCTION chain_config();
CREATE TRIGGER "config_seals_no_change" BEFORE UPDATE OR DELETE ON "config_seals"
  FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER "config_seals_no_truncate" BEFORE TRUNCATE ON "config_seals" EXECUTE FUNCTION append_only();

-- The newest versions, the merchant's own and the platform's (0: none), that the seal's head covers. Null in seals from
-- before this migration, whose heads cover movements only.
ALTER TABLE "seals"
  ADD COLUMN "config_version" INTEGER,
  ADD COLUMN "platform_version" INTEGER,
  ADD CONSTRAINT "seals_versions" CHECK (("config_version" IS NULL) = ("platform_version" IS NULL));

-- Seals what was posted since the last time, up to the transaction horizon: one seal a merchant, of one merchant where
-- it is named. The head also covers the heads of the configuration's chains. Answers how many movements. One call at a time; others wait.
CREATE OR REPLACE FUNCTION seal_movements(only_merchant uuid DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql
-- The bounds decide the plan: next to nothing each minute, everything the first time.
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
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
      coalesce(s.head, first_head()) AS head,
      coalesce(own.version, 0) AS config_version, coalesce(platform.version, 0) AS platform_version,
      coalesce(own.head, first_head()) || coalesce(platform.head, first_head()) AS configs
    FROM (SELECT DISTINCT merchant_id FROM digests) f
    LEFT JOIN LATERAL (
      SELECT * FROM seals WHERE seals.merchant_id = f.merchant_id ORDER BY seals.n DESC LIMIT 1
    ) s ON true
    LEFT JOIN LATERAL (
      SELECT c.version, c.head FROM config_seals c WHERE c.merchant_id = f.merchant_id ORDER BY c.version DESC LIMIT 1
    ) own ON true
    LEFT JOIN LATERAL (
      SELECT c.version, c.head FROM config_seals c WHERE c.merchant_id IS NULL ORDER BY c.version DESC LIMIT 1
    ) platform ON true
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
    INSERT INTO seals (merchant_id, n, from_tx, to_tx, movements, total, head, marks, config_version,
      platform_version)
    SELECT l.merchant_id, l.n + 1, l.to_tx, horizon, w.movements, l.total + w.movements,
      seal_head(l.head, l.merchant_id, l.n + 1, l.to_tx, horizon, w.movements, w.blocks || l.configs), w.marks,
      l.config_version, l.platform_version
    FROM whole w JOIN last l ON l.merchant_id = w.merchant_id
    RETURNING movements
  )
  SELECT coalesce(sum(movements), 0) INTO sealed FROM made;
  IF only_merchant IS NULL THEN
    UPDATE ledger_progress SET to_tx = horizon WHERE what = 'seals' AND to_tx < horizon;
  END IF;
  RETURN sealed;
END $$;
