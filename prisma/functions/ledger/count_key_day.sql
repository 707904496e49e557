-- Refuses a change above the API key's limits. What it adds counts in the key's day, whose row decides: the limit of a day
-- spans customers.
CREATE OR REPLACE FUNCTION count_key_day(k api_keys, change pocket_change, moment timestamptz) RETURNS pocket_change
LANGUAGE plpgsql AS $$
DECLARE
  points int := change.paid + change.bonus;
  most int := coalesce(k.max_points_day, 20000);
BEGIN
  IF abs(points) > k.max_points_one THEN RETURN refused('key_limit', k.max_points_one); END IF;
  IF points < 0 THEN RETURN change; END IF;
  INSERT INTO api_key_days AS d (api_key_id, day, added) SELECT k.id, qatar_day(moment), points WHERE points <= most
  ON CONFLICT (api_key_id, day) DO UPDATE SET added = d.added + points WHERE d.added::bigint + points <= most;
  IF FOUND THEN RETURN change; END IF;
  RETURN refused('key_limit', most);
END $$;
