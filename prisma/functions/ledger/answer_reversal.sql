-- Answers a request with the reversal that is there already. Its key is used up, as if it had posted the reversal.
CREATE OR REPLACE FUNCTION answer_reversal(r posting_row, reversal uuid) RETURNS posting_outcome LANGUAGE plpgsql AS $$
BEGIN
  IF r.api_key IS NOT NULL THEN
    INSERT INTO used_keys (api_key_id, idempotency_key, request_hash, movement_id) VALUES (r.api_key, r.key, r.hash, reversal);
  ELSIF r.actor IS NOT NULL THEN
    INSERT INTO answered_keys (actor_id, idempotency_key, request_hash, movement_id) VALUES (r.actor, r.key, r.hash, reversal);
  END IF;
  RETURN movement_outcome(r.idx, 'replayed', reversal);
END $$;
