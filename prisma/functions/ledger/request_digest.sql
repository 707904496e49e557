-- The hash of a request to compare with another: 22 letters. Earlier versions sent and kept SHA-256's 64 digits, of which it
-- is the first half; their movements keep them, since they are sealed.
CREATE OR REPLACE FUNCTION request_digest(hash text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN hash ~ '^[0-9a-f]{64}$' THEN rtrim(encode(decode(left(hash, 32), 'hex'), 'base64'), '=') ELSE hash END
$$;
