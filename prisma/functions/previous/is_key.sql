-- Servers of the release before judge offline entries with it.
CREATE OR REPLACE FUNCTION is_key(stored text, key text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtextextended(stored, 0) = hashtextextended(key, 0) AND stored = key
$$;
