-- Gives up the request with this idempotency key of a user or an API key: answers the movement that it posted, or leaves a
-- tombstone, so that it posts nothing when it arrives later. Waits for a posting under way, and holds its lock until the
-- commit: so one of the two finds the other. `is_new`: the tombstone was not there before.
CREATE OR REPLACE FUNCTION give_up_key(actor uuid, api_key uuid, key text, OUT movement uuid, OUT is_new boolean)
LANGUAGE plpgsql SET wallet.posting = 'post' SET lock_timeout = '10s'
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  is_new := false;
  PERFORM pg_advisory_xact_lock(CASE WHEN api_key IS NULL THEN key_lock(actor, key) ELSE api_key_lock(api_key, key) END);
  IF api_key IS NOT NULL THEN
    INSERT INTO used_keys (api_key_id, idempotency_key) VALUES (api_key, key) ON CONFLICT DO NOTHING;
    is_new := FOUND;
    SELECT k.movement_id INTO movement FROM used_keys k WHERE k.api_key_id = api_key AND k.idempotency_key = key;
    RETURN;
  END IF;
  SELECT m.id INTO movement FROM movements m WHERE is_key(m.actor_id, m.idempotency_key, actor, key);
  IF FOUND THEN RETURN; END IF;
  INSERT INTO answered_keys (actor_id, idempotency_key, request_hash) VALUES (actor, key, '') ON CONFLICT DO NOTHING;
  is_new := FOUND;
  SELECT k.movement_id INTO movement FROM answered_keys k WHERE k.actor_id = actor AND k.idempotency_key = key;
END $$;
