-- One chain for the platform, because some entries belong to no merchant. Seals what was written since the last time, up to
-- the transaction horizon. Answers how many entries. One call at a time; others wait.
CREATE OR REPLACE FUNCTION seal_audits() RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  horizon bigint;
  since bigint;
  sealed bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('seal audits', 0));
  -- In statements of their own: the rows are read by a snapshot that is not older than the horizon.
  horizon := transaction_horizon();
  SELECT to_tx INTO STRICT since FROM ledger_progress WHERE what = 'audits';
  IF horizon < since THEN
    RAISE EXCEPTION 'transaction ids began anew at %, below %: run npm run migrate', horizon, since;
  END IF;
  WITH numbered AS (
    SELECT v.digest, row_number() OVER (ORDER BY v.tx, v.id) AS place
    FROM sealed_audits v WHERE v.tx >= since AND v.tx < horizon
  ), blocks AS (
    SELECT (place - 1) / 1000 AS block, count(*) AS entries,
      sha256(string_agg(digest, ''::bytea ORDER BY place)) AS digest,
      string_agg(substring(digest FROM 1 FOR 4), ''::bytea ORDER BY place) AS marks
    FROM numbered GROUP BY 1
  ), whole AS (
    SELECT sum(entries)::int AS entries, string_agg(digest, ''::bytea ORDER BY block) AS blocks,
      string_agg(marks, ''::bytea ORDER BY block) AS marks
    FROM blocks
  ), made AS (
    INSERT INTO audit_seals (n, from_tx, to_tx, entries, total, head, marks)
    SELECT l.n + 1, l.to_tx, horizon, w.entries, l.total + w.entries,
      audit_seal_head(l.head, l.n + 1, l.to_tx, horizon, w.entries, w.blocks), w.marks
    FROM whole w CROSS JOIN last_audit_seal() l WHERE w.entries > 0
    RETURNING entries
  )
  SELECT coalesce(sum(entries), 0) INTO sealed FROM made;
  UPDATE ledger_progress SET to_tx = horizon WHERE what = 'audits' AND to_tx < horizon;
  RETURN sealed;
END $$;
