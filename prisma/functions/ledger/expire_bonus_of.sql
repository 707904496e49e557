-- Posts the EXPIRYs due for one customer, none while the merchant is suspended; answers how many.
CREATE OR REPLACE FUNCTION expire_bonus_of(customer uuid, quiet boolean DEFAULT false, clock timestamptz DEFAULT clock_timestamp())
RETURNS int LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET wallet.posting = 'post' SET lock_timeout = '10s'
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM 1 FROM customers c WHERE c.id = customer FOR NO KEY UPDATE;
  PERFORM pg_advisory_xact_lock_shared(posting_lock());
  RETURN expire_locked(ARRAY[customer], clock, quiet);
END $$;
