-- Closes a shift with its blind count, and freezes its report.
CREATE OR REPLACE FUNCTION close_shift(shift uuid, within uuid, at_till uuid, counted jsonb, remark text, waiting int, actor uuid,
  clock timestamptz DEFAULT NULL, OUT outcome text, OUT merchant uuid) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  s shifts;
  result jsonb;
  number int;
BEGIN
  PERFORM 1 FROM tills t WHERE t.id = (SELECT f.till_id FROM shifts f WHERE f.id = shift
    AND (within IS NULL OR f.merchant_id = within) AND (at_till IS NULL OR f.till_id = at_till)) FOR UPDATE;
  IF NOT FOUND THEN
    outcome := 'not_found';
    RETURN;
  END IF;
  SELECT * INTO s FROM shifts WHERE id = shift FOR UPDATE;
  merchant := s.merchant_id;
  outcome := CASE
    WHEN s.closed_at IS NOT NULL THEN 'shift_closed'
    WHEN waiting > 0 AND remark IS NULL THEN 'entries_waiting'
  END;
  IF outcome IS NOT NULL THEN RETURN; END IF;
  result := shift_report(s, counted, actor);
  INSERT INTO shift_counters AS k (merchant_id, last) VALUES (s.merchant_id, 1)
  ON CONFLICT (merchant_id) DO UPDATE SET last = k.last + 1 RETURNING last INTO number;
  UPDATE shifts SET closed_by_id = actor, closed_at = greatest(coalesce(clock, clock_timestamp()), opened_at),
    report_number = number, report = result, note = remark,
    difference = (SELECT (t ->> 'difference')::bigint FROM jsonb_array_elements(result -> 'tenders') t
      WHERE t ->> 'tender' = 'cash') WHERE id = shift;
  UPDATE tills SET period = s.period + 1 WHERE id = s.till_id;
  INSERT INTO events (merchant_id, branch_id, subject_id, type, created_at)
  SELECT f.merchant_id, f.branch_id, f.id, 'shift.closed', f.closed_at FROM shifts f WHERE f.id = shift;
  outcome := 'closed';
END $$;
