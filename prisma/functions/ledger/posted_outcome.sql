-- A movement as an outcome, with what stands beside it: its customer, its reason, until when it may be undone, its till's name.
CREATE OR REPLACE FUNCTION posted_outcome(
  idx int, outcome text, m movements, c customers, reason text, undo_until timestamptz, till_name text
) RETURNS posting_outcome LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW(
    idx, outcome, NULL, m.balance_after, m.id, m.type, m.points, m.balance_after, m.rate, m.seq, m.created_at,
    reason, m.reverses_id, c.id, c.public_id, c.full_name, m.branch_id, m.branch_name, m.actor_id, m.actor_name,
    undo_until, m.refunds_id, m.paid_points, m.bonus_points, m.bonus_after, m.balance_rate, m.tender, m.sale_ref, m.occurred_at,
    m.actor_type, m.till_id, till_name
  )::posting_outcome
$$;
