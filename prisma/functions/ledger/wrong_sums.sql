-- The sums as they should be, of what is counted, beside those that stand: a row for each day that differs.
CREATE OR REPLACE FUNCTION wrong_sums(only_merchant uuid DEFAULT NULL)
RETURNS TABLE (kept_in text, merchant_id uuid, day date, type "MovementType", branch_id uuid, kept jsonb, counted jsonb)
LANGUAGE sql STABLE SET plan_cache_mode = force_custom_plan AS $$
  WITH moved AS MATERIALIZED (
    SELECT m.merchant_id, qatar_day(m.created_at) AS day, m.branch_id, m.actor_id, m.type,
      summed_type(m.type, m.reverses_type) AS kind, m.tender,
      count(*) AS movements, sum(m.points) AS points, sum(m.paid_points) AS paid, sum(m.bonus_points) AS bonus,
      sum(m.paid_points::bigint * m.rate) AS paid_value, sum(m.bonus_points::bigint * m.rate) AS bonus_value,
      sum(m.points::bigint * m.rate) AS dirhams
    FROM (
      SELECT merchant_id, created_at, branch_id, actor_id, type, reverses_type, points, paid_points, bonus_points, rate,
        CASE WHEN m.reverses_type = 'TOP_UP' THEN (SELECT o.tender FROM movements o WHERE o.id = m.reverses_id) ELSE m.tender END AS tender
      FROM movements m
      -- A sum, so that the plan leaves the index on tx alone: nearly every row is counted.
      WHERE m.tx + 0 < (SELECT p.to_tx FROM ledger_progress p WHERE p.what = 'sums')
        AND (only_merchant IS NULL OR m.merchant_id = only_merchant)
    ) m
    GROUP BY 1, 2, 3, 4, 5, 6, 7
  ), days AS (
    SELECT d.merchant_id, d.day, d.branch_id, d.type,
      jsonb_build_array(d.movements, d.points, d.dirhams, d.cash) AS amounts
    FROM daily_sums d WHERE only_merchant IS NULL OR d.merchant_id = only_merchant
  ), true_days AS (
    SELECT m.merchant_id, m.day, m.branch_id, m.kind AS type,
      jsonb_build_array(coalesce(sum(m.movements) FILTER (WHERE m.type <> 'REVERSAL'), 0), sum(m.points),
        sum(m.dirhams), coalesce(sum(m.dirhams) FILTER (WHERE m.tender = 'cash'), 0)) AS amounts
    FROM moved m GROUP BY 1, 2, 3, 4
  ), staff AS (
    SELECT d.merchant_id, d.day, d.branch_id, d.type, jsonb_object_agg(concat(d.actor_id, ' ', d.tender),
      jsonb_build_array(d.movements, d.points, d.dirhams, d.undone, d.undone_points, d.undone_dirhams)) AS amounts
    FROM staff_sums d WHERE only_merchant IS NULL OR d.merchant_id = only_merchant GROUP BY 1, 2, 3, 4
  ), true_staff AS (
    SELECT s.merchant_id, s.day, s.branch_id, s.type, jsonb_object_agg(s.who, s.amounts) AS amounts FROM (
      SELECT m.merchant_id, m.day, m.branch_id, m.kind AS type, concat(m.actor_id, ' ', m.tender) AS who, jsonb_build_array(
        coalesce(sum(m.movements) FILTER (WHERE m.type <> 'REVERSAL'), 0), sum(m.points), sum(m.dirhams),
        coalesce(sum(m.movements) FILTER (WHERE m.type = 'REVERSAL'), 0),
        coalesce(sum(m.points) FILTER (WHERE m.type = 'REVERSAL'), 0),
        coalesce(sum(m.dirhams) FILTER (WHERE m.type = 'REVERSAL'), 0)) AS amounts
      FROM moved m WHERE m.actor_id IS NOT NULL OR m.tender IS NOT NULL GROUP BY 1, 2, 3, 4, 5
    ) s GROUP BY 1, 2, 3, 4
  ), pockets AS (
    SELECT d.merchant_id, d.day, d.type,
      jsonb_build_array(d.movements, d.paid, d.bonus, d.paid_value, d.bonus_value) AS amounts
    FROM pocket_days d WHERE only_merchant IS NULL OR d.merchant_id = only_merchant
  ), true_pockets AS (
    SELECT m.merchant_id, m.day, m.type, jsonb_build_array(sum(sum(m.movements)) OVER own, sum(sum(m.paid)) OVER own,
      sum(sum(m.bonus)) OVER own, sum(sum(m.paid_value)) OVER own, sum(sum(m.bonus_value)) OVER own) AS amounts
    FROM moved m GROUP BY 1, 2, 3
    WINDOW own AS (PARTITION BY m.merchant_id, m.type ORDER BY m.day)
  )
  SELECT 'daily_sums', coalesce(d.merchant_id, t.merchant_id), coalesce(d.day, t.day), coalesce(d.type, t.type),
    coalesce(d.branch_id, t.branch_id), d.amounts, t.amounts
  FROM days d FULL JOIN true_days t ON t.merchant_id = d.merchant_id AND t.day = d.day AND t.type = d.type
    AND coalesce(t.branch_id, t.merchant_id) = coalesce(d.branch_id, d.merchant_id)
  WHERE d.amounts IS DISTINCT FROM t.amounts
  UNION ALL
  SELECT 'staff_sums', coalesce(d.merchant_id, t.merchant_id), coalesce(d.day, t.day), coalesce(d.type, t.type),
    coalesce(d.branch_id, t.branch_id), d.amounts, t.amounts
  FROM staff d FULL JOIN true_staff t ON t.merchant_id = d.merchant_id AND t.day = d.day AND t.type = d.type
    AND coalesce(t.branch_id, t.merchant_id) = coalesce(d.branch_id, d.merchant_id)
  WHERE d.amounts IS DISTINCT FROM t.amounts
  UNION ALL
  SELECT 'pocket_days', coalesce(d.merchant_id, t.merchant_id), coalesce(d.day, t.day), coalesce(d.type, t.type), NULL,
    d.amounts, t.amounts
  FROM pockets d FULL JOIN true_pockets t ON t.merchant_id = d.merchant_id AND t.day = d.day AND t.type = d.type
  WHERE d.amounts IS DISTINCT FROM t.amounts
$$;
