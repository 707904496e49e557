-- The LIKE pattern of a search for this text anywhere; % and _ stand for themselves. Null, which matches nothing, where
-- nothing is left to search for.
CREATE OR REPLACE FUNCTION search_pattern(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT '%' || regexp_replace(nullif(btrim(search_fold(given)), ''), '([\\%_])', '\\\1', 'g') || '%'
$$;
