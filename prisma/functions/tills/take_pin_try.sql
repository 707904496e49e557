-- Takes one of the tries of a PIN.
CREATE OR REPLACE FUNCTION take_pin_try(till uuid, worker uuid, clock timestamptz DEFAULT NULL,
  OUT state text, OUT seconds int, OUT taken_at timestamptz) LANGUAGE plpgsql AS $$
DECLARE
  t record;
  p record;
  recent timestamptz[];
BEGIN
  -- One try of a till after the other.
  SELECT pin_tries, pin_locked_at INTO t FROM tills WHERE id = till FOR NO KEY UPDATE;
  taken_at := coalesce(clock, clock_timestamp());
  IF t.pin_locked_at IS NOT NULL THEN
    state := 'closed';
    RETURN;
  END IF;
  IF worker IS NOT NULL THEN
    SELECT tries, locked_until INTO p FROM pin_tries w WHERE w.till_id = till AND w.user_id = worker;
    IF p.locked_until > taken_at THEN
      state := 'locked';
      seconds := ceil(extract(epoch FROM p.locked_until - taken_at));
      RETURN;
    END IF;
    INSERT INTO pin_tries AS w (till_id, user_id, tries) VALUES (till, worker, 1)
    ON CONFLICT (till_id, user_id) DO UPDATE SET
      tries = CASE WHEN w.locked_until IS NULL THEN w.tries + 1 ELSE 1 END, locked_until = NULL;
    UPDATE pin_tries w SET locked_until = taken_at + interval '15 minutes'
    WHERE w.till_id = till AND w.user_id = worker AND w.tries >= 5;
    IF FOUND THEN state := 'last'; END IF;
  END IF;
  recent := ARRAY(SELECT n FROM unnest(t.pin_tries) n WHERE n > taken_at - interval '1 hour') || taken_at;
  IF cardinality(recent) >= 20 THEN state := 'last_here'; END IF;
  UPDATE tills SET pin_tries = recent, pin_locked_at = CASE WHEN cardinality(recent) >= 20 THEN taken_at END WHERE id = till;
  state := coalesce(state, 'taken');
END $$;
