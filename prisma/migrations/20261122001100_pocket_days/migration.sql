-- Sums of the days, kept by what was posted (the order of transactions), not by what a clock said: a movement is counted
-- once, on its own day, whenever that day was summed before.

-- What a merchant's movements of a type had done to its customers' pockets when a day (Asia/Qatar) ended: from the first
-- movement on, so that any two days differ by two look-ups. A row for each day on which such a movement was posted.
-- Readers: the liability report, the dashboards' outstanding points.
CREATE TABLE "pocket_days" (
    "merchant_id" UUID NOT NULL,
    "type" "MovementType" NOT NULL,
    "day" DATE NOT NULL,
    "movements" BIGINT NOT NULL,
    "paid" BIGINT NOT NULL,
    "bonus" BIGINT NOT NULL,
    -- The same in dirhams, each movement at its own rate.
    "paid_value" BIGINT NOT NULL,
    "bonus_value" BIGINT NOT NULL,

    CONSTRAINT "pocket_days_pkey" PRIMARY KEY ("merchant_id", "type", "day"),
    CONSTRAINT "pocket_days_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id")
);

-- What daily_sums counts a movement as: a reversal takes its points from what it reverses.
CREATE FUNCTION summed_type(type "MovementType", reverses_type "MovementType") RETURNS "MovementType"
LANGUAGE sql IMMUTABLE AS $$ SELECT coalesce(reverses_type, type) $$;

CREATE FUNCTION qatar_day(moment timestamptz) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (moment AT TIME ZONE 'Asia/Qatar')::date
$$;

-- Counts what was posted since the last time, up to the transaction horizon. Answers how many movements. One call at a
-- time; others wait.
CREATE FUNCTION keep_sums() RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  horizon bigint;
  since bigint;
  counted bigint;
BEGIN
  SELECT to_tx INTO since FROM ledger_progress WHERE what = 'sums' FOR UPDATE;
  horizon := transaction_horizon();
  IF horizon <= since THEN RETURN 0; END IF;

  WITH fresh AS (
    INSERT INTO daily_sums AS d (day, merchant_id, branch_id, type, movements, points)
    SELECT qatar_day(created_at), merchant_id, branch_id, summed_type(type, reverses_type),
      count(*) FILTER (WHERE type <> 'REVERSAL'), sum(points)
    FROM movements WHERE tx >= since AND tx < horizon GROUP BY 1, 2, 3, 4
    ON CONFLICT (merchant_id, day, branch_id, type)
    DO UPDATE SET movements = d.movements + excluded.movements, points = d.points + excluded.points
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
CREATE FUNCTION wrong_sums(only_merchant uuid DEFAULT NULL)
RETURNS TABLE (kept_in text, merchant_id uuid, day date, type "MovementType", branch_id uuid, kept jsonb, counted jsonb)
LANGUAGE sql STABLE SET plan_cache_mode = force_custom_plan AS $$
  WITH moved AS MATERIALIZED (
    SELECT m.merchant_id, qatar_day(m.created_at) AS day, m.branch_id, m.type, summed_type(m.type, m.reverses_type) AS kind,
      count(*) AS movements, sum(m.points) AS points, sum(m.paid_points) AS paid, sum(m.bonus_points) AS bonus,
      sum(m.paid_points::bigint * m.rate) AS paid_value, sum(m.bonus_points::bigint * m.rate) AS bonus_value
    FROM movements m
    WHERE m.tx < (SELECT p.to_tx FROM ledger_progress p WHERE p.what = 'sums')
      AND (only_merchant IS NULL OR m.merchant_id = only_merchant)
    GROUP BY 1, 2, 3, 4, 5
  ), days AS (
    SELECT d.merchant_id, d.day, d.branch_id, d.type,
      jsonb_build_array(d.movements, d.points) AS amounts
    FROM daily_sums d WHERE only_merchant IS NULL OR d.merchant_id = only_merchant
  ), true_days AS (
    SELECT m.merchant_id, m.day, m.branch_id, m.kind AS type,
      jsonb_build_array(coalesce(sum(m.movements) FILTER (WHERE m.type <> 'REVERSAL'), 0), sum(m.points)) AS amounts
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

-- Puts right what differs and answers what did.
CREATE FUNCTION mend_sums() RETURNS TABLE (kept_in text, merchant_id uuid, day date, kept jsonb, counted jsonb)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  w record;
BEGIN
  -- Nothing is counted meanwhile.
  PERFORM 1 FROM ledger_progress WHERE what = 'sums' FOR UPDATE;
  FOR w IN SELECT * FROM wrong_sums() LOOP
    IF w.kept_in = 'daily_sums' THEN
      DELETE FROM daily_sums d WHERE d.merchant_id = w.merchant_id AND d.day = w.day AND d.type = w.type
        AND d.branch_id IS NOT DISTINCT FROM w.branch_id;
      IF w.counted IS NOT NULL THEN
        INSERT INTO daily_sums (day, merchant_id, branch_id, type, movements, points)
        VALUES (w.day, w.merchant_id, w.branch_id, w.type, (w.counted ->> 0)::int, (w.counted ->> 1)::bigint);
      END IF;
    ELSE
      DELETE FROM pocket_days d WHERE d.merchant_id = w.merchant_id AND d.day = w.day AND d.type = w.type;
      IF w.counted IS NOT NULL THEN
        INSERT INTO pocket_days (merchant_id, type, day, movements, paid, bonus, paid_value, bonus_value)
        VALUES (w.merchant_id, w.type, w.day, (w.counted ->> 0)::bigint, (w.counted ->> 1)::bigint,
          (w.counted ->> 2)::bigint, (w.counted ->> 3)::bigint, (w.counted ->> 4)::bigint);
      END IF;
    END IF;
    RETURN QUERY SELECT w.kept_in, w.merchant_id, w.day, w.kept, w.counted;
  END LOOP;
END $$;

/*
  Writes down where each merchant stood at the end of the days gone by in Qatar (before `today`): who ever registered,
  what its customers held. The latest day that stands is written once more; `everything` starts at the first day, takes
  away what does not belong there, and so mends. Answers how many rows it wrote.
*/
CREATE FUNCTION keep_merchant_days(today date DEFAULT qatar_day(now()), everything boolean DEFAULT false)
RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  first_day date;
  written bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('merchant days', 0));
  IF NOT everything THEN SELECT max(d.day) INTO first_day FROM merchant_days d WHERE d.day < today; END IF;
  first_day := coalesce(first_day, '-infinity');
  IF everything THEN DELETE FROM merchant_days d WHERE d.day >= today; END IF;
  WITH came AS (
    SELECT c.merchant_id, qatar_day(c.registered_at) AS day, count(*) AS customers FROM customers c
    WHERE (first_day = '-infinity' OR c.registered_at >= first_day::timestamp AT TIME ZONE 'Asia/Qatar')
      AND c.registered_at < today::timestamp AT TIME ZONE 'Asia/Qatar'
    GROUP BY 1, 2
  ), moved AS (
    SELECT d.merchant_id, d.day FROM pocket_days d WHERE d.day >= first_day AND d.day < today GROUP BY 1, 2
  ), days AS (
    SELECT coalesce(c.merchant_id, m.merchant_id) AS merchant_id, coalesce(c.day, m.day) AS day,
      coalesce(c.customers, 0) AS customers
    FROM came c FULL JOIN moved m ON m.merchant_id = c.merchant_id AND m.day = c.day
  ), stood AS (
    SELECT d.merchant_id, d.day, coalesce(before.customers, 0)
        + sum(d.customers) OVER (PARTITION BY d.merchant_id ORDER BY d.day) AS customers,
      held.points
    FROM days d LEFT JOIN LATERAL (
      SELECT e.customers FROM merchant_days e WHERE e.merchant_id = d.merchant_id AND e.day < first_day
      ORDER BY e.day DESC LIMIT 1
    ) before ON true
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(p.paid + p.bonus), 0) AS points FROM unnest(enum_range(NULL::"MovementType")) AS t
      CROSS JOIN LATERAL (
        SELECT paid, bonus FROM pocket_days q WHERE q.merchant_id = d.merchant_id AND q.type = t AND q.day <= d.day
        ORDER BY q.day DESC LIMIT 1
      ) p
    ) held
  ), gone AS (
    DELETE FROM merchant_days e WHERE e.day >= first_day AND e.day < today
      AND NOT EXISTS (SELECT 1 FROM days d WHERE d.merchant_id = e.merchant_id AND d.day = e.day)
  ), kept AS (
    INSERT INTO merchant_days AS e (merchant_id, day, customers, points)
    SELECT merchant_id, day, customers, points FROM stood
    ON CONFLICT (merchant_id, day) DO UPDATE SET customers = excluded.customers, points = excluded.points
      WHERE e.customers <> excluded.customers OR e.points <> excluded.points
    RETURNING 1
  )
  SELECT count(*) INTO written FROM kept;
  RETURN written;
END $$;

-- The sums that stood were kept by the clock: they begin anew, with all that was posted.
DELETE FROM "daily_sums";
SELECT keep_sums();

-- Dirhams a point was worth to a merchant's customers just before a moment: its own record unless it was withdrawn by
-- then, else the platform's; the platform's first, where the moment is before any.
CREATE FUNCTION points_rate_at(for_merchant uuid, moment timestamptz) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT CASE WHEN own.withdrawn THEN NULL ELSE own.dirhams_per_point END FROM points_configs own
     WHERE own.merchant_id = for_merchant AND own.created_at < moment ORDER BY own.version DESC LIMIT 1),
    (SELECT p.dirhams_per_point FROM points_configs p
     WHERE p.merchant_id IS NULL AND p.created_at < moment ORDER BY p.version DESC LIMIT 1),
    (SELECT p.dirhams_per_point FROM points_configs p WHERE p.merchant_id IS NULL ORDER BY p.version LIMIT 1)
  )
$$;
