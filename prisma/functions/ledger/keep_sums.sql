-- Counts what was posted since the last time, up to the transaction horizon, into the sums of the days, of the staff and
-- of the pockets. Answers how many movements. One call at a time; others wait.
CREATE OR REPLACE FUNCTION keep_sums() RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  horizon bigint;
  since bigint;
  counted bigint;
BEGIN
  SELECT to_tx INTO STRICT since FROM ledger_progress WHERE what = 'sums' FOR UPDATE;
  horizon := transaction_horizon();
  IF horizon <= since THEN RETURN 0; END IF;

  WITH moved AS MATERIALIZED (
    SELECT qatar_day(created_at) AS day, merchant_id, branch_id, actor_id, type, summed_type(type, reverses_type) AS kind,
      tender, count(*) AS movements, sum(points) AS points, sum(points::bigint * rate) AS dirhams
    FROM (
      SELECT created_at, merchant_id, branch_id, actor_id, type, reverses_type, points, rate,
        CASE WHEN m.reverses_type = 'TOP_UP' THEN (SELECT o.tender FROM movements o WHERE o.id = m.reverses_id) ELSE m.tender END AS tender
      FROM movements m WHERE m.tx >= since AND m.tx < horizon
    ) m GROUP BY 1, 2, 3, 4, 5, 6, 7
  ), fresh AS (
    INSERT INTO daily_sums AS d (day, merchant_id, branch_id, type, movements, points, dirhams, cash)
    SELECT day, merchant_id, branch_id, kind, coalesce(sum(movements) FILTER (WHERE type <> 'REVERSAL'), 0), sum(points),
      sum(dirhams), coalesce(sum(dirhams) FILTER (WHERE tender = 'cash'), 0)
    FROM moved GROUP BY 1, 2, 3, 4
    ON CONFLICT (merchant_id, day, branch_id, type)
    DO UPDATE SET movements = d.movements + excluded.movements, points = d.points + excluded.points,
      dirhams = d.dirhams + excluded.dirhams, cash = d.cash + excluded.cash
  ), fresh_staff AS (
    INSERT INTO staff_sums AS d (actor_id, day, merchant_id, branch_id, type, tender, movements, points, dirhams, undone,
      undone_points, undone_dirhams)
    SELECT actor_id, day, merchant_id, branch_id, kind, tender,
      coalesce(sum(movements) FILTER (WHERE type <> 'REVERSAL'), 0),
      sum(points), sum(dirhams), coalesce(sum(movements) FILTER (WHERE type = 'REVERSAL'), 0),
      coalesce(sum(points) FILTER (WHERE type = 'REVERSAL'), 0), coalesce(sum(dirhams) FILTER (WHERE type = 'REVERSAL'), 0)
    FROM moved WHERE actor_id IS NOT NULL OR tender IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (actor_id, day, merchant_id, branch_id, type, tender)
    DO UPDATE SET movements = d.movements + excluded.movements, points = d.points + excluded.points,
      dirhams = d.dirhams + excluded.dirhams, undone = d.undone + excluded.undone,
      undone_points = d.undone_points + excluded.undone_points,
      undone_dirhams = d.undone_dirhams + excluded.undone_dirhams
  ), missing AS (
    SELECT merchant_id, type, day, sum(movements) AS movements FROM moved GROUP BY 1, 2, 3
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
