-- The longest hold of an API key, or of a user (null), in seconds.
CREATE OR REPLACE FUNCTION hold_longest(key uuid) RETURNS int LANGUAGE sql STABLE AS
  'SELECT coalesce((SELECT k.max_hold_seconds FROM api_keys k WHERE k.id = key), 900)';
