-- Opens a shift: 'opened' with its id, 'not_found', 'till_retired', or 'shift_open' where one is. `within`: the caller's
-- merchant, or null for all; `clock`: when, or null.
CREATE OR REPLACE FUNCTION open_shift(till uuid, within uuid, opening int, actor uuid, clock timestamptz DEFAULT NULL,
  OUT outcome text, OUT shift_id uuid, OUT merchant uuid) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  t tills;
BEGIN
  -- Postings on this till that are under way end first.
  SELECT * INTO t FROM tills WHERE id = till AND (within IS NULL OR merchant_id = within) FOR UPDATE;
  merchant := t.merchant_id;
  outcome := CASE WHEN t.id IS NULL THEN 'not_found' WHEN t.retired_at IS NOT NULL THEN 'till_retired' END;
  IF outcome IS NOT NULL THEN RETURN; END IF;
  -- What was posted before the first shift was opened belongs to none.
  IF t.period = 0 THEN UPDATE tills SET period = 1 WHERE id = till; END IF;
  INSERT INTO shifts (merchant_id, till_id, branch_id, period, opening_cash, opened_by_id, opened_at)
  VALUES (t.merchant_id, till, t.branch_id, greatest(t.period, 1), opening, actor, coalesce(clock, clock_timestamp()))
  ON CONFLICT (till_id) WHERE closed_at IS NULL DO NOTHING RETURNING id INTO shift_id;
  outcome := CASE WHEN shift_id IS NULL THEN 'shift_open' ELSE 'opened' END;
END $$;
