-- Whether a function of the ledger writes. 'on' is anybody who says so (seeds); 'post' is post_movements, which has checked
-- the maximum itself, since a reversal or a refund may go above it.
CREATE OR REPLACE FUNCTION is_posting() RETURNS boolean LANGUAGE sql STABLE AS
  $$SELECT coalesce(current_setting('wallet.posting', true) IN ('on', 'post'), false)$$;
