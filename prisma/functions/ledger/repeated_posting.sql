-- The first result of a request whose key is known, or key_reused when the key named another request. A key belongs to
-- the user who posts; those who are no user share the customer's. The outcome's name is NULL when the key is new.
CREATE OR REPLACE FUNCTION repeated_posting(r posting_row, card uuid) RETURNS posting_outcome LANGUAGE plpgsql STABLE AS $$
DECLARE
  earlier record;
  refusal posting_outcome;
BEGIN
  IF r.actor IS NOT NULL THEN
    SELECT m.id, m.request_hash, m.actor_type, m.api_key_id INTO earlier FROM movements m
    WHERE m.actor_id = r.actor AND m.idempotency_key = r.key;
    IF NOT FOUND THEN
      SELECT k.movement_id AS id, k.request_hash, 'user'::"ActorType" AS actor_type, NULL::uuid AS api_key_id
      INTO earlier FROM answered_keys k WHERE k.actor_id = r.actor AND k.idempotency_key = r.key;
    END IF;
  ELSE
    SELECT m.id, m.request_hash, m.actor_type, m.api_key_id INTO earlier FROM movements m
    WHERE m.actor_id IS NULL AND m.customer_id = card AND m.idempotency_key = r.key;
  END IF;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- Nobody is answered with what somebody else posted.
  IF earlier.request_hash = r.hash AND earlier.actor_type = coalesce(r.actor_type, 'user')
    AND earlier.api_key_id IS NOT DISTINCT FROM r.api_key THEN
    RETURN movement_outcome(r.idx, 'replayed', earlier.id);
  END IF;
  refusal.idx := r.idx;
  refusal.outcome := 'key_reused';
  RETURN refusal;
END $$;
