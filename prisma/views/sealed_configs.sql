-- What of each version is sealed: every column, as in sealed_movements.
CREATE OR REPLACE VIEW "sealed_configs" AS
SELECT c.id, c.merchant_id, c.version, sha256(convert_to(ROW(
    c.id, c.merchant_id, c.version, c.dirhams_per_point, c.min_top_up, c.max_top_up, c.max_balance, c.undo_minutes,
    c.worker_daily_cap, c.withdrawn, c.changed_by_id, extract(epoch FROM c.created_at)
  )::text, 'UTF8')) AS digest
FROM points_configs c;
