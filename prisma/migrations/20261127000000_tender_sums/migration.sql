-- The sums of staff are kept by tender, too: the totals of a tender, of a shop, a branch or a worker, however long the log is.
-- A reversal counts with the tender of the top-up that it takes back. A column more; the version before reads the sums of all.
-- Before the table is locked, as the job does, so that neither waits for the other.
SELECT FROM ledger_progress WHERE what = 'sums' FOR UPDATE;
ALTER TABLE "staff_sums"
  -- Null: nobody of the staff. Then only what has a tender is here.
  ALTER COLUMN "actor_id" DROP NOT NULL,
  -- Null: of what is no top-up.
  ADD COLUMN "tender" "Tender";
DROP INDEX "staff_sums_actor_id_day_merchant_id_branch_id_type_key";
CREATE UNIQUE INDEX "staff_sums_actor_id_day_merchant_id_branch_id_type_tender_key"
  ON "staff_sums" ("actor_id", "day", "merchant_id", "branch_id", "type", "tender") NULLS NOT DISTINCT;
CREATE INDEX "staff_sums_tenders" ON "staff_sums" ("merchant_id", "tender", "day") WHERE "tender" IS NOT NULL;

-- What is counted already, anew. Nothing is counted meanwhile.
DO $$ BEGIN
  PERFORM 1 FROM ledger_progress WHERE what = 'sums' FOR UPDATE;
  DELETE FROM staff_sums;
  INSERT INTO staff_sums (actor_id, day, merchant_id, branch_id, type, tender, movements, points, dirhams, undone,
    undone_points, undone_dirhams)
  SELECT m.actor_id, qatar_day(m.created_at), m.merchant_id, m.branch_id, summed_type(m.type, m.reverses_type), m.tender,
    count(*) FILTER (WHERE m.type <> 'REVERSAL'), sum(m.points), sum(m.points::bigint * m.rate),
    count(*) FILTER (WHERE m.type = 'REVERSAL'), coalesce(sum(m.points) FILTER (WHERE m.type = 'REVERSAL'), 0),
    coalesce(sum(m.points::bigint * m.rate) FILTER (WHERE m.type = 'REVERSAL'), 0)
  FROM (
    SELECT actor_id, created_at, merchant_id, branch_id, type, reverses_type, points, rate,
      CASE WHEN m.reverses_type = 'TOP_UP' THEN (SELECT o.tender FROM movements o WHERE o.id = m.reverses_id) ELSE m.tender END AS tender
    -- A sum, so that the plan leaves the index on tx alone: nearly every row is counted.
    FROM movements m WHERE m.tx + 0 < (SELECT to_tx FROM ledger_progress WHERE what = 'sums')
  ) m WHERE m.actor_id IS NOT NULL OR m.tender IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5, 6;
END $$;

-- As before, with the tender; the sums of the days take their cash from it.
CREATE OR REPLACE FUNCTION keep_sums() RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  horizon bigint;
  since bigint;
  counted bigint;
BEGIN
  SELECT to_tx INTO since FROM ledger_progress WHERE what = 'sums' FOR UPDATE;
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

CREATE OR REPLACE FUNCTION mend_sums() RETURNS TABLE (kept_in text, merchant_id uuid, day date, kept jsonb, counted jsonb)
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
        INSERT INTO daily_sums (day, merchant_id, branch_id, type, movements, points, dirhams, cash)
        VALUES (w.day, w.merchant_id, w.branch_id, w.type, (w.counted ->> 0)::int, (w.counted ->> 1)::bigint,
          (w.counted ->> 2)::bigint, (w.counted ->> 3)::bigint);
      END IF;
    ELSIF w.kept_in = 'staff_sums' THEN
      DELETE FROM staff_sums d WHERE d.merchant_id = w.merchant_id AND d.day = w.day AND d.type = w.type
        AND d.branch_id IS NOT DISTINCT FROM w.branch_id;
      INSERT INTO staff_sums (actor_id, day, merchant_id, branch_id, type, tender, movements, points, dirhams, undone,
        undone_points, undone_dirhams)
      SELECT nullif(split_part(c.key, ' ', 1), '')::uuid, w.day, w.merchant_id, w.branch_id, w.type,
        nullif(split_part(c.key, ' ', 2), '')::"Tender", (c.value ->> 0)::int, (c.value ->> 1)::bigint,
        (c.value ->> 2)::bigint, (c.value ->> 3)::int, (c.value ->> 4)::bigint, (c.value ->> 5)::bigint
      FROM jsonb_each(coalesce(w.counted, '{}')) c;
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
