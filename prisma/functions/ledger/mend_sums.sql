-- Replaces the sums that differ from the movements, and answers them as they were kept and as they were counted.
CREATE OR REPLACE FUNCTION mend_sums() RETURNS TABLE (kept_in text, merchant_id uuid, day date, kept jsonb, counted jsonb)
LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
