-- The nightly job's part: posts the EXPIRYs due for up to `most` customers, on blocked and frozen cards too; answers how
-- many. Customers that are locked now are left to the next call.
CREATE OR REPLACE FUNCTION expire_bonus(most int, quiet boolean DEFAULT false, clock timestamptz DEFAULT clock_timestamp())
RETURNS int LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET wallet.posting = 'post' SET lock_timeout = '10s'
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  ids uuid[];
BEGIN
  ids := ARRAY(
    SELECT c.id FROM customers c WHERE c.id = ANY (ARRAY(
      SELECT DISTINCT l.customer_id FROM lots l JOIN merchants s ON s.id = l.merchant_id AND s.suspended_at IS NULL
      WHERE l.remaining > 0 AND l.remaining > l.held AND l.ends_at <= clock LIMIT most
    )) ORDER BY c.id FOR NO KEY UPDATE SKIP LOCKED
  );
  PERFORM pg_advisory_xact_lock_shared(posting_lock());
  RETURN expire_locked(ids, clock, quiet);
END $$;
