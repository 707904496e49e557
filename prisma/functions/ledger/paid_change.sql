-- A change of the paid pocket alone.
CREATE OR REPLACE FUNCTION paid_change(points bigint) RETURNS pocket_change LANGUAGE sql IMMUTABLE AS
  $$SELECT ROW(NULL, NULL, points, 0, NULL, NULL, NULL)::pocket_change$$;
