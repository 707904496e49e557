-- Keeps since when a user is active. A new account is active since it was made.
CREATE OR REPLACE FUNCTION keep_active_since() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'active' THEN NEW.active_since := NULL;
  ELSIF TG_OP = 'INSERT' THEN NEW.active_since := NEW.created_at;
  ELSIF OLD.status <> 'active' THEN NEW.active_since := clock_timestamp();
  ELSE NEW.active_since := OLD.active_since;
  END IF;
  RETURN NEW;
END $$;
