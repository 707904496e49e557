-- An employee's daily limits span customers, so the row of their day decides. Counts the points of a top-up or refund, or of a
-- redemption without a confirmation, and refuses the change that would pass the limit. Where there is no limit, the count ends
-- at the largest integer.
CREATE OR REPLACE FUNCTION count_worker_day(r posting_row, change pocket_change, g posting_facts, moment timestamptz) RETURNS pocket_change
LANGUAGE plpgsql AS $$
DECLARE
  points int := change.paid + change.bonus;
  added int := greatest(points, 0);
  bare int := greatest(-points, 0);
  most int := CASE WHEN points > 0 THEN g.worker_daily_cap ELSE g.unproved_worker_daily END;
BEGIN
  INSERT INTO worker_days AS w (user_id, day, topped_up, unproved)
  SELECT r.actor, qatar_day(moment), added, bare WHERE most IS NULL OR added + bare <= most
  ON CONFLICT (user_id, day) DO UPDATE SET
    topped_up = least(w.topped_up::bigint + added, 2147483647), unproved = least(w.unproved::bigint + bare, 2147483647)
  WHERE most IS NULL OR CASE WHEN added > 0 THEN w.topped_up::bigint + added ELSE w.unproved::bigint + bare END <= most;
  IF FOUND THEN RETURN change; END IF;
  -- What lapsed on other cards counts no longer, though nothing has ended it.
  IF bare > 0 THEN
    UPDATE worker_days w SET unproved = least(w.unproved::bigint + bare, 2147483647)
    WHERE w.user_id = r.actor AND w.day = qatar_day(moment) AND w.unproved::bigint + bare - (
      SELECT coalesce(sum(h.points - h.captured), 0) FROM holds h JOIN merchants s ON s.id = h.merchant_id
      WHERE h.actor_id = r.actor AND h.unproved_on = w.day AND h.state = 'open' AND is_lapsed(h.expires_at, s.suspended_at, moment)
    ) <= most;
    IF FOUND THEN RETURN change; END IF;
  END IF;
  RETURN refused(CASE WHEN added > 0 THEN 'daily_cap' ELSE 'worker_proof_required' END, most);
END $$;
