-- A hold as of a moment, with the names of today and the card's figures: lib/holds/holds.ts reads it.
CREATE OR REPLACE FUNCTION hold_json(hold uuid, moment timestamptz) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'id', h.id, 'state', CASE WHEN o.is_over THEN 'lapsed' ELSE h.state::text END, 'reason', h.reason, 'note', h.note,
    'points', h.points, 'captured', h.captured,
    'remaining', CASE WHEN h.state = 'open' AND NOT o.is_over THEN h.points - h.captured ELSE 0 END,
    'expiresAt', h.expires_at, 'createdAt', h.created_at,
    'closedAt', CASE WHEN o.is_over THEN h.expires_at ELSE h.closed_at END, 'extended', h.extended,
    'paid', h.paid, 'saleRef', h.sale_ref, 'customerId', c.id, 'publicId', c.public_id, 'fullName', c.full_name,
    'customerErased', c.status = 'erased', 'customerStatus', c.status, 'staffCard', c.held_by_staff, 'balance', c.balance, 'held', held_now(c, moment),
    'merchantId', s.id, 'businessName', s.business_name, 'businessNameAr', s.business_name_ar,
    'branchId', b.id, 'branchName', b.name, 'branchNameAr', b.name_ar,
    'actorType', CASE WHEN h.api_key_id IS NULL THEN 'user' ELSE 'api_key' END, 'actorId', h.actor_id,
    'actorName', coalesce(k.name, u.first_name || ' ' || u.last_name), 'keyId', h.api_key_id, 'key', h.idempotency_key)
  FROM holds h
  JOIN customers c ON c.id = h.customer_id
  JOIN merchants s ON s.id = h.merchant_id
  JOIN branches b ON b.id = h.branch_id
  LEFT JOIN api_keys k ON k.id = h.api_key_id
  LEFT JOIN users u ON u.id = h.actor_id
  CROSS JOIN LATERAL (SELECT h.state = 'open' AND is_lapsed(h.expires_at, s.suspended_at, moment) AS is_over) o
  WHERE h.id = hold
$$;
