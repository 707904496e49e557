-- The configuration in force: the merchant's newest record unless it was withdrawn, else the platform's newest.
CREATE OR REPLACE FUNCTION points_config_in_force(for_merchant uuid) RETURNS SETOF "points_configs"
LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT chosen.* FROM (
    SELECT own.* FROM (
      SELECT * FROM points_configs WHERE merchant_id = for_merchant ORDER BY version DESC LIMIT 1
    ) own WHERE NOT own.withdrawn
    UNION ALL
    (SELECT * FROM points_configs WHERE merchant_id IS NULL ORDER BY version DESC LIMIT 1)
  ) chosen ORDER BY chosen.merchant_id NULLS LAST LIMIT 1
$$;
