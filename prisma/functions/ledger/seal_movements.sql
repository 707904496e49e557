-- One SHA-256 chain a merchant. A seal covers the merchant's movements with from_tx <= tx < to_tx in the order
-- (tx, customer_id, seq), where to_tx is at most the transaction horizon when it was made. Every transaction below the
-- horizon has ended, so no later commit can add a movement below it. Movements from before the first seal have tx 0.
-- Seals what was posted since the last time: one seal a merchant, of one merchant where it is named. The head also covers
-- the heads of the configuration's chains. Answers how many movements. One call at a time; others wait.
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
  SELECT to_tx INTO STRICT since FROM ledger_progress WHERE what = 'seals';
  IF horizon < since THEN
    RAISE EXCEPTION 'transaction ids began anew at %, below %: run npm run migrate', horizon, since;
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
