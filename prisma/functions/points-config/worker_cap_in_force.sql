-- How much a worker may post on a day, in points; null without a limit. A merchant's override decides, then the platform's
-- configuration, then the limit that the owner set (`own`).
CREATE OR REPLACE FUNCTION worker_cap_in_force(config points_configs, own integer) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN config.merchant_id IS NULL AND config.worker_daily_cap IS NULL THEN own ELSE config.worker_daily_cap END
$$;
