-- The PIN was right: its try counts no more, and the worker's count begins anew.
CREATE OR REPLACE FUNCTION return_pin_try(till uuid, worker uuid, taken timestamptz) RETURNS void LANGUAGE sql AS $$
  UPDATE tills SET pin_tries = array_remove(pin_tries, taken),
    pin_locked_at = CASE WHEN pin_locked_at <> taken THEN pin_locked_at END WHERE id = till;
  DELETE FROM pin_tries WHERE till_id = till AND user_id = worker;
$$;
