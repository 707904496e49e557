-- Refuses every change of a shift other than its closing.
CREATE OR REPLACE FUNCTION shifts_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.closed_at IS NOT NULL THEN
    RAISE EXCEPTION 'a closed shift is never changed, and none is deleted';
  END IF;
  RETURN NEW;
END $$;
