-- Whether the card and its merchant take this type of movement now: the refusal's name, or NULL when they do. An
-- adjustment settles a card that no longer moves.
CREATE OR REPLACE FUNCTION card_refusal(type "MovementType", status "CustomerStatus", g posting_facts) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE
    WHEN status = 'erased' THEN 'customer_erased'
    WHEN type = 'ADJUSTMENT' THEN NULL
    WHEN g.merchant_status <> 'approved' OR g.suspended_at IS NOT NULL THEN 'merchant_unavailable'
    WHEN status = 'blocked' THEN 'customer_blocked'
    WHEN status <> 'active' THEN 'customer_frozen'
  END;
END $$;
