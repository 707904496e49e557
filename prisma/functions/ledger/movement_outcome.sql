-- A movement that was posted before, as an outcome. Names are those that it keeps; a till has its present name.
CREATE OR REPLACE FUNCTION movement_outcome(idx int, outcome text, movement uuid) RETURNS posting_outcome
LANGUAGE sql STABLE AS $$
  SELECT posted_outcome(
    idx, outcome, m, c, t.reason,
    CASE WHEN m.type IN ('TOP_UP', 'REDEEM') AND v.id IS NULL
      THEN m.created_at + p.undo_minutes * interval '1 minute' END,
    l.name)
  FROM movements m
  JOIN customers c ON c.id = m.customer_id
  LEFT JOIN movement_texts t ON t.movement_id = m.id
  LEFT JOIN movements v ON v.reverses_id = m.id
  LEFT JOIN tills l ON l.id = m.till_id
  CROSS JOIN LATERAL points_config_in_force(m.merchant_id) p
  WHERE m.id = movement
$$;
