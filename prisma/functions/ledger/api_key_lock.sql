-- The lock of an idempotency key of an API key: its posting, and whoever gives the key up, hold it alone.
CREATE OR REPLACE FUNCTION api_key_lock(api_key uuid, key text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
  $$SELECT hashtextextended(api_key::text || ' ' || key, 0)$$;
