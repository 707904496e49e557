-- Counts the outstanding points of every merchant for the days up to today, or for all days.
CREATE OR REPLACE FUNCTION keep_merchant_days(today date DEFAULT qatar_day(now()), everything boolean DEFAULT false)
RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
