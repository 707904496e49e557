-- The first result of a request whose key is known, key_reused when the key named another request, or
-- reversed_before_arrival when it was given up (give_up_key). A key belongs to the user or API key that posts, whatever the
-- customer; everybody else shares the customer's. The outcome's name is NULL when the key is new.
CREATE OR REPLACE FUNCTION repeated_posting(r posting_row, card uuid) RETURNS posting_outcome LANGUAGE plpgsql STABLE AS $$
DECLARE
  earlier record;
  refusal posting_outcome;
  is_same boolean;
BEGIN
  IF r.api_key IS NOT NULL THEN
    SELECT k.movement_id AS id, k.hold_id, k.request_hash, 'api_key'::"ActorType" AS actor_type INTO earlier FROM used_keys k
    WHERE k.api_key_id = r.api_key AND k.idempotency_key = r.key;
  ELSIF r.actor IS NOT NULL THEN
    SELECT m.id, NULL::uuid AS hold_id, m.request_hash, m.actor_type INTO earlier FROM movements m
    WHERE is_key(m.actor_id, m.idempotency_key, r.actor, r.key);
    IF NOT FOUND THEN
      SELECT k.movement_id AS id, k.hold_id, k.request_hash, 'user'::"ActorType" AS actor_type
      INTO earlier FROM answered_keys k WHERE k.actor_id = r.actor AND k.idempotency_key = r.key;
    END IF;
  ELSE
    SELECT m.id, NULL::uuid AS hold_id, m.request_hash, m.actor_type INTO earlier FROM movements m
    WHERE m.actor_id IS NULL AND m.api_key_id IS NULL AND m.customer_id = card AND m.idempotency_key = r.key;
  END IF;
  IF NOT FOUND THEN RETURN NULL; END IF;
  is_same := request_digest(earlier.request_hash) = request_digest(r.hash);
  -- Nobody is answered with what somebody else posted.
  IF earlier.id IS NOT NULL AND is_same AND earlier.actor_type = coalesce(r.actor_type, 'user') THEN
    RETURN movement_outcome(r.idx, 'replayed', earlier.id);
  END IF;
  refusal.idx := r.idx;
  IF earlier.hold_id IS NOT NULL AND is_same THEN
    refusal.outcome := 'replayed';
    refusal.hold := hold_json(earlier.hold_id, coalesce(r.at, clock_timestamp()));
    RETURN refusal;
  END IF;
  refusal.outcome := CASE WHEN earlier.id IS NULL AND earlier.hold_id IS NULL THEN 'reversed_before_arrival' ELSE 'key_reused' END;
  RETURN refusal;
END $$;
