-- Whether a stored idempotency key is this one. The unique index of a user's movements has the two hashes of the key in
-- place of its text, which would be longer than all else in it.
CREATE OR REPLACE FUNCTION is_key(stored text, key text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtextextended(stored, 0) = hashtextextended(key, 0) AND stored = key
$$;
