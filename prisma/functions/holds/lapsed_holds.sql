-- The holds of a card whose time is over, and that nothing has ended yet: everybody counts as if they had ended.
CREATE OR REPLACE FUNCTION lapsed_holds(customer uuid, moment timestamptz) RETURNS SETOF holds LANGUAGE sql STABLE AS $$
  SELECT h.* FROM holds h JOIN merchants s ON s.id = h.merchant_id
  WHERE h.customer_id = customer AND h.state = 'open' AND is_lapsed(h.expires_at, s.suspended_at, moment)
$$;
