-- The hash of a request to compare with another: the first 12 bytes of its SHA-256 in 16 letters. Earlier versions sent and
-- kept all 64 digits, and their movements keep them, since they are sealed.
CREATE OR REPLACE FUNCTION request_digest(hash text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN hash ~ '^[0-9a-f]{64}$' THEN encode(decode(left(hash, 24), 'hex'), 'base64') ELSE hash END
$$;
