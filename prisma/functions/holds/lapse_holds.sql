-- The sweeper's part, which only tidies up: ends the holds whose time is over, of up to `most` cards, and answers these.
-- Cards that are locked now are left to the next call.
CREATE OR REPLACE FUNCTION lapse_holds(most int, clock timestamptz DEFAULT clock_timestamp()) RETURNS uuid[] LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET wallet.posting = 'post' SET lock_timeout = '10s'
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  ids uuid[];
BEGIN
  ids := ARRAY(
    SELECT c.id FROM customers c WHERE c.id = ANY (ARRAY(
      SELECT DISTINCT h.customer_id FROM holds h JOIN merchants s ON s.id = h.merchant_id
      WHERE h.state = 'open' AND h.expires_at <= clock AND is_lapsed(h.expires_at, s.suspended_at, clock) LIMIT most
    )) ORDER BY c.id FOR NO KEY UPDATE SKIP LOCKED
  );
  PERFORM pg_advisory_xact_lock_shared(posting_lock());
  PERFORM expire_locked(ids, clock, false);
  RETURN ids;
END $$;
