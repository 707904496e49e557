-- The day of a moment in Qatar.
CREATE OR REPLACE FUNCTION qatar_day(moment timestamptz) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (moment AT TIME ZONE 'Asia/Qatar')::date
$$;
