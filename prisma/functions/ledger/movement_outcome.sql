-- A movement that was posted before, as an outcome. Names are those that it keeps; a till has its present name.
CREATE OR REPLACE FUNCTION movement_outcome(idx int, outcome text, movement uuid) RETURNS posting_outcome
LANGUAGE sql STABLE AS $$
  SELECT ROW(
    idx, outcome, NULL, m.balance_after, m.id, m.type, m.points, m.balance_after, m.rate, m.seq, m.created_at,
    t.reason, m.reverses_id, c.id, c.public_id, c.full_name, m.branch_id, m.branch_name, m.actor_id, m.actor_name,
    CASE WHEN m.type IN ('TOP_UP', 'REDEEM') AND v.id IS NULL
      THEN m.created_at + p.undo_minutes * interval '1 minute' END,
    m.refunds_id, m.paid_points, m.bonus_points, m.bonus_after, m.balance_rate, m.tender, m.sale_ref, m.occurred_at,
    m.actor_type, m.till_id, l.name, held_now(c, clock_timestamp()), CASE WHEN m.hold_id IS NOT NULL THEN hold_json(m.hold_id, clock_timestamp()) END
  )::posting_outcome
  FROM movements m
  JOIN customers c ON c.id = m.customer_id
  LEFT JOIN movement_texts t ON t.movement_id = m.id
  LEFT JOIN movements v ON v.reverses_id = m.id
  LEFT JOIN tills l ON l.id = m.till_id
  CROSS JOIN LATERAL points_config_in_force(m.merchant_id) p
  WHERE m.id = movement
$$;
