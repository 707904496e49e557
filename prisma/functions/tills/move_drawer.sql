-- A pay-in or pay-out: 'moved' or 'replayed' with its id, 'not_found', 'shift_closed', 'key_reused'. `at_till`: the till
-- that the caller stands at, or null for an owner.
CREATE OR REPLACE FUNCTION move_drawer(shift uuid, within uuid, at_till uuid, what text, dirhams int, why text, actor uuid, key text,
  clock timestamptz DEFAULT NULL, OUT outcome text, OUT move_id uuid, OUT merchant uuid) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  s shifts;
  earlier drawer_moves;
BEGIN
  SELECT * INTO s FROM shifts WHERE id = shift AND (within IS NULL OR merchant_id = within)
    AND (at_till IS NULL OR till_id = at_till) FOR UPDATE;
  merchant := s.merchant_id;
  IF NOT FOUND THEN
    outcome := 'not_found';
    RETURN;
  END IF;
  IF s.closed_at IS NULL THEN
    INSERT INTO drawer_moves (shift_id, kind, amount, reason, actor_id, idempotency_key, created_at)
    VALUES (shift, what, dirhams, why, actor, key, coalesce(clock, clock_timestamp()))
    ON CONFLICT (actor_id, idempotency_key) DO NOTHING RETURNING id INTO move_id;
    IF FOUND THEN
      outcome := 'moved';
      RETURN;
    END IF;
  END IF;
  SELECT * INTO earlier FROM drawer_moves d WHERE d.actor_id = actor AND d.idempotency_key = key;
  move_id := earlier.id;
  outcome := CASE
    WHEN earlier.id IS NULL THEN 'shift_closed'
    WHEN (earlier.shift_id, earlier.kind, earlier.amount, earlier.reason) = (shift, what, dirhams, why) THEN 'replayed'
    ELSE 'key_reused'
  END;
END $$;
