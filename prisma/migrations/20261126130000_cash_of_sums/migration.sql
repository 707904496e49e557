-- in_cash is a call for each row, which Postgres cannot take into the statement: of a million movements it took half a
-- minute, nine tenths of the sums of the days. Only reversals need it; few movements are one.

CREATE OR REPLACE FUNCTION keep_sums() RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  horizon bigint;
  since bigint;
  counted bigint;
BEGIN
  SELECT to_tx INTO since FROM ledger_progress WHERE what = 'sums' FOR UPDATE;
  horizon := transaction_horizon();
  IF horizon <= since THEN RETURN 0; END IF;

  WITH fresh AS (
    INSERT INTO daily_sums AS d (day, merchant_id, branch_id, type, movements, points, dirhams, cash)
    SELECT qatar_day(created_at), merchant_id, branch_id, summed_type(type, reverses_type),
      count(*) FILTER (WHERE type <> 'REVERSAL'), sum(points), sum(points::bigint * rate),
      coalesce(sum(points::bigint * rate) FILTER (WHERE
        CASE WHEN reverses_id IS NULL THEN tender = 'cash' ELSE in_cash(NULL, reverses_id) END), 0)
    FROM movements WHERE tx >= since AND tx < horizon GROUP BY 1, 2, 3, 4
    ON CONFLICT (merchant_id, day, branch_id, type)
    DO UPDATE SET movements = d.movements + excluded.movements, points = d.points + excluded.points,
      dirhams = d.dirhams + excluded.dirhams, cash = d.cash + excluded.cash
  ), missing AS (
    SELECT merchant_id, type, qatar_day(created_at) AS day, count(*) AS movements
    FROM movements WHERE tx >= since AND tx < horizon GROUP BY 1, 2, 3
  ), added AS (
    -- A new day starts where the one before it ended.
    INSERT INTO pocket_days (merchant_id, type, day, movements, paid, bonus, paid_value, bonus_value)
    SELECT m.merchant_id, m.type, m.day, coalesce(p.movements, 0), coalesce(p.paid, 0), coalesce(p.bonus, 0),
      coalesce(p.paid_value, 0), coalesce(p.bonus_value, 0)
    FROM missing m LEFT JOIN LATERAL (
      SELECT * FROM pocket_days d WHERE d.merchant_id = m.merchant_id AND d.type = m.type AND d.day < m.day
      ORDER BY d.day DESC LIMIT 1
    ) p ON true
    ON CONFLICT DO NOTHING
  )
  SELECT coalesce(sum(movements), 0) INTO counted FROM missing;

  IF counted > 0 THEN
    WITH news AS MATERIALIZED (
      SELECT merchant_id, type, qatar_day(created_at) AS day, count(*) AS movements, sum(paid_points) AS paid,
        sum(bonus_points) AS bonus, sum(paid_points::bigint * rate) AS paid_value,
        sum(bonus_points::bigint * rate) AS bonus_value
      FROM movements WHERE tx >= since AND tx < horizon GROUP BY 1, 2, 3
    ), later AS (
      SELECT d.merchant_id, d.type, d.day, sum(n.movements) OVER own AS movements, sum(n.paid) OVER own AS paid,
        sum(n.bonus) OVER own AS bonus, sum(n.paid_value) OVER own AS paid_value, sum(n.bonus_value) OVER own AS bonus_value
      FROM (SELECT merchant_id, type, min(day) AS day FROM news GROUP BY 1, 2) f
      JOIN pocket_days d ON d.merchant_id = f.merchant_id AND d.type = f.type AND d.day >= f.day
      LEFT JOIN news n ON n.merchant_id = d.merchant_id AND n.type = d.type AND n.day = d.day
      WINDOW own AS (PARTITION BY d.merchant_id, d.type ORDER BY d.day)
    )
    UPDATE pocket_days d SET movements = d.movements + l.movements, paid = d.paid + l.paid, bonus = d.bonus + l.bonus,
      paid_value = d.paid_value + l.paid_value, bonus_value = d.bonus_value + l.bonus_value
    FROM later l WHERE d.merchant_id = l.merchant_id AND d.type = l.type AND d.day = l.day;
  END IF;
  UPDATE ledger_progress SET to_tx = horizon WHERE what = 'sums';
  RETURN counted;
END $$;

-- The sums as they should be, of what is counted, beside those that stand: a row for each day that differs.
CREATE OR REPLACE FUNCTION wrong_sums(only_merchant uuid DEFAULT NULL)
RETURNS TABLE (kept_in text, merchant_id uuid, day date, type "MovementType", branch_id uuid, kept jsonb, counted jsonb)
LANGUAGE sql STABLE SET plan_cache_mode = force_custom_plan AS $$
  WITH moved AS MATERIALIZED (
    SELECT m.merchant_id, qatar_day(m.created_at) AS day, m.branch_id, m.type, summed_type(m.type, m.reverses_type) AS kind,
      count(*) AS movements, sum(m.points) AS points, sum(m.paid_points) AS paid, sum(m.bonus_points) AS bonus,
      sum(m.paid_points::bigint * m.rate) AS paid_value, sum(m.bonus_points::bigint * m.rate) AS bonus_value,
      sum(m.points::bigint * m.rate) AS dirhams,
      sum(m.points::bigint * m.rate) FILTER (WHERE
        CASE WHEN m.reverses_id IS NULL THEN m.tender = 'cash' ELSE in_cash(NULL, m.reverses_id) END) AS cash
    FROM movements m
    -- A sum, so that the plan leaves the index on tx alone: nearly every row is counted.
    WHERE m.tx + 0 < (SELECT p.to_tx FROM ledger_progress p WHERE p.what = 'sums')
      AND (only_merchant IS NULL OR m.merchant_id = only_merchant)
    GROUP BY 1, 2, 3, 4, 5
  ), days AS (
    SELECT d.merchant_id, d.day, d.branch_id, d.type,
      jsonb_build_array(d.movements, d.points, d.dirhams, d.cash) AS amounts
    FROM daily_sums d WHERE only_merchant IS NULL OR d.merchant_id = only_merchant
  ), true_days AS (
    SELECT m.merchant_id, m.day, m.branch_id, m.kind AS type,
      jsonb_build_array(coalesce(sum(m.movements) FILTER (WHERE m.type <> 'REVERSAL'), 0), sum(m.points),
        sum(m.dirhams), coalesce(sum(m.cash), 0)) AS amounts
    FROM moved m GROUP BY 1, 2, 3, 4
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
  SELECT 'pocket_days', coalesce(d.merchant_id, t.merchant_id), coalesce(d.day, t.day), coalesce(d.type, t.type), NULL,
    d.amounts, t.amounts
  FROM pockets d FULL JOIN true_pockets t ON t.merchant_id = d.merchant_id AND t.day = d.day AND t.type = d.type
  WHERE d.amounts IS DISTINCT FROM t.amounts
$$;
