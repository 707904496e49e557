-- Reads what the ledger's rules ask about each row: its card, the movement that it gives back, its merchant with the
-- configuration in force, its branch, employee, key and till. `held`: the customers that the caller has locked. All is as it was before the batch.
CREATE OR REPLACE FUNCTION read_posting_facts(given posting_row[], held uuid[]) RETURNS SETOF posting_facts
LANGUAGE sql STABLE AS $$
  SELECT r, c, o, c.id = ANY (read_posting_facts.held),
    k.id IS NOT NULL OR n.actor_id IS NOT NULL,
    coalesce(u.email = c.email, false) OR coalesce(u.phone = c.phone, false)
      OR coalesce(v.email = c.email, false) OR coalesce(v.phone = c.phone, false)
      OR EXISTS (
        SELECT 1 FROM staff_contacts h WHERE h.user_id IN (r.actor, r.resolver)
          AND h.hash = sha256(h.salt || convert_to(CASE h.kind WHEN 'email' THEN c.email ELSE c.phone END, 'UTF8'))),
    coalesce(o.branch_id, r.branch),
    s.status, s.suspended_at, s.redeem_allowance, s.spend_order, s.refund_days,
    s.unproved_worker_daily, s.till_required,
    worker_cap_in_force(p, s.worker_daily_cap),
    p.dirhams_per_point,
    -- What is given back is given back at what it was worth.
    CASE WHEN r.type IN ('REVERSAL', 'REFUND') THEN o.rate ELSE p.dirhams_per_point END,
    p.min_top_up, p.max_top_up, p.max_balance, p.undo_minutes,
    b.name, b.merchant_id, b.archived_at, u.role, u.first_name || ' ' || u.last_name,
    t.merchant_id, t.retired_at, t.period, t.name
  FROM unnest(given) r
  LEFT JOIN movements o ON o.id = CASE r.type WHEN 'REFUND' THEN r.refunds WHEN 'REVERSAL' THEN r.reverses END
  LEFT JOIN customers own ON own.id = r.customer
  LEFT JOIN customers shown ON shown.public_id = r.customer AND own.id IS NULL
  LEFT JOIN customers c
    ON c.id = CASE WHEN r.type IN ('REVERSAL', 'REFUND') THEN o.customer_id ELSE coalesce(own.id, shown.id) END
  LEFT JOIN merchants s ON s.id = c.merchant_id
  LEFT JOIN LATERAL points_config_in_force(s.id) p ON true
  LEFT JOIN branches b ON b.id = coalesce(o.branch_id, r.branch)
  LEFT JOIN users u ON u.id = r.actor
  LEFT JOIN users v ON v.id = r.resolver
  LEFT JOIN tills t ON t.id = r.till
  LEFT JOIN movements k ON is_key(k.actor_id, k.idempotency_key, r.actor, r.key)
  LEFT JOIN answered_keys n ON n.actor_id = r.actor AND n.idempotency_key = r.key
$$;
