-- Keeps the time at which a user was disabled.
CREATE OR REPLACE FUNCTION keep_disabled_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'disabled' THEN NEW.disabled_at := NULL;
  ELSIF TG_OP = 'INSERT' OR OLD.status <> 'disabled' THEN NEW.disabled_at := clock_timestamp();
  END IF;
  RETURN NEW;
END $$;
