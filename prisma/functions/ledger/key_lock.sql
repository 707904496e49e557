-- The lock of a key, one number of 1,024, so that a long batch holds no more than that. lock_postings says who holds it
-- alone.
CREATE OR REPLACE FUNCTION key_lock(actor uuid, key text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
  $$SELECT 7203115000 + (hashtextextended(actor::text || ' ' || key, 0) & 1023)$$;
