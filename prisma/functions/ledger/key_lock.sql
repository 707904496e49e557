-- Requests that post under a key hold its lock shared; the one that is answered by what stands already, and so inserts
-- no movement that the key's index could refuse, takes it alone and looks again. Of 1,024, so that a long batch holds no
-- more than that.
CREATE OR REPLACE FUNCTION key_lock(actor uuid, key text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
  $$SELECT 7203115000 + (hashtextextended(actor::text || ' ' || key, 0) & 1023)$$;
