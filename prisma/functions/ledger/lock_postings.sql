-- Takes all locks of these rows in one order: customers, the platform, merchants, keys, tills, days of employees and API
-- keys. Answers
-- the customers that it holds: with `skip`, not those that another transaction has locked.
CREATE OR REPLACE FUNCTION lock_postings(given posting_row[], skip boolean) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  wanted uuid[];
  held uuid[];
  merchants uuid[];
  at_tills uuid[];
  has_keys boolean := false;
  one posting_row;
BEGIN
  wanted := ARRAY(
    SELECT coalesce(o.customer_id, own.id, shown.id) FROM unnest(given) i
    LEFT JOIN movements o ON o.id = coalesce(i.reverses, i.refunds)
    LEFT JOIN customers own ON own.id = i.customer
    LEFT JOIN customers shown ON shown.public_id = i.customer AND own.id IS NULL
  );
  IF skip THEN
    SELECT array_agg(c.id), array_agg(DISTINCT c.merchant_id) INTO held, merchants FROM (
      SELECT id, merchant_id FROM customers WHERE id = ANY (wanted) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) c;
  ELSE
    SELECT array_agg(c.id), array_agg(DISTINCT c.merchant_id) INTO held, merchants FROM (
      SELECT id, merchant_id FROM customers WHERE id = ANY (wanted) ORDER BY id FOR NO KEY UPDATE) c;
  END IF;
  -- After the customers: who waits for one of them holds up no change of configuration, and so nobody else.
  PERFORM pg_advisory_xact_lock_shared(posting_lock());
  PERFORM pg_advisory_xact_lock_shared(merchant_lock(m)) FROM unnest(merchants) m;
  -- A row that comes by itself holds its key alone, and so finds what another transaction posts under it. Rows of a batch
  -- share the numbers of their keys, and go again where the index refuses one (write_postings). The customers are held, so a
  -- reversal stays or does not come: a key that a reversal answers is held alone, because nobody else may be posting under
  -- it. That is a reversal that is there, or that an earlier row of these posts. A hold's call answers its key in the same way.
  IF cardinality(given) = 1 THEN
    PERFORM pg_advisory_xact_lock(key_lock(given[1].actor, given[1].key));
  ELSE
    PERFORM CASE WHEN k.alone THEN pg_advisory_xact_lock(k.id) ELSE pg_advisory_xact_lock_shared(k.id) END
    FROM (
      SELECT key_lock(i.actor, i.key) AS id, bool_or(i.nth > 1 OR v.id IS NOT NULL OR i.hold_call IS NOT NULL) AS alone
      FROM (
        SELECT actor, key, reverses, hold_call, CASE WHEN reverses IS NULL THEN 1
          ELSE row_number() OVER (PARTITION BY reverses ORDER BY idx) END AS nth
        FROM unnest(given)
      ) i
      LEFT JOIN movements v ON v.reverses_id = i.reverses
      GROUP BY 1 ORDER BY 1
    ) k;
  END IF;
  -- Held from before its period is read until the commit: a close waits for these postings, or these for the close.
  FOREACH one IN ARRAY given LOOP
    IF one.till IS NOT NULL THEN at_tills := array_append(at_tills, one.till); END IF;
    has_keys := has_keys OR one.api_key IS NOT NULL OR one.reverses IS NOT NULL;
  END LOOP;
  IF at_tills IS NOT NULL THEN PERFORM 1 FROM tills t WHERE t.id = ANY (at_tills) ORDER BY t.id FOR KEY SHARE; END IF;
  -- One row touches one day at most, when it is counted.
  IF cardinality(given) = 1 THEN RETURN held; END IF;
  INSERT INTO worker_days AS w (user_id, day)
  SELECT u.id, qatar_day(clock_timestamp()) FROM (
    SELECT DISTINCT n.actor FROM unnest(given) i
    LEFT JOIN movements o ON o.id = i.reverses
    CROSS JOIN LATERAL unnest(ARRAY[i.actor, o.actor_id]) AS n(actor)
    WHERE i.type IN ('TOP_UP', 'REFUND', 'REVERSAL') OR (i.type = 'REDEEM' AND coalesce(i.proof, 'none') = 'none')
  ) a JOIN users u ON u.id = a.actor AND u.role = 'branch_worker' ORDER BY u.id
  ON CONFLICT (user_id, day) DO UPDATE SET topped_up = w.topped_up WHERE false;
  IF has_keys THEN
    INSERT INTO api_key_days AS d (api_key_id, day, added)
    SELECT k.id, qatar_day(clock_timestamp()), 0 FROM (
      SELECT DISTINCT n.api_key FROM unnest(given) i
      LEFT JOIN movements o ON o.id = i.reverses
      CROSS JOIN LATERAL unnest(ARRAY[i.api_key, o.api_key_id]) AS n(api_key)
      WHERE i.type IN ('TOP_UP', 'BONUS', 'REVERSAL')
    ) a JOIN api_keys k ON k.id = a.api_key ORDER BY k.id
    ON CONFLICT (api_key_id, day) DO UPDATE SET added = d.added WHERE false;
  END IF;
  RETURN held;
END $$;
