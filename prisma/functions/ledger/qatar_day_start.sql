-- The moment at which the day of this moment began in Qatar.
CREATE OR REPLACE FUNCTION qatar_day_start(moment timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT date_trunc('day', moment AT TIME ZONE 'Asia/Qatar') AT TIME ZONE 'Asia/Qatar'
$$;
