-- Uses up the idempotency key of a call that the hold answers.
CREATE OR REPLACE FUNCTION use_hold_key(r posting_row, hold uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF r.api_key IS NOT NULL THEN
    INSERT INTO used_keys (api_key_id, idempotency_key, request_hash, hold_id) VALUES (r.api_key, r.key, r.hash, hold);
  ELSE
    INSERT INTO answered_keys (actor_id, idempotency_key, request_hash, hold_id) VALUES (r.actor, r.key, r.hash, hold);
  END IF;
END $$;
