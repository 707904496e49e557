-- When a lot that gets points back ends now: seven days on where it ended meanwhile, once a lot; else NULL, as before.
CREATE OR REPLACE FUNCTION longer_end(ends_at timestamptz, extended boolean, moment timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN ends_at <= moment AND NOT extended THEN moment + interval '168 hours' END
$$;
