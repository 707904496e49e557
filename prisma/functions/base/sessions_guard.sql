-- A session is opened for an active user, and stays that user's: it slides and ends, and does not come back.
CREATE OR REPLACE FUNCTION sessions_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF EXISTS (SELECT FROM users u WHERE u.id = NEW.user_id AND u.status = 'active') THEN RETURN NEW; END IF;
    RAISE EXCEPTION 'a session is opened for an active user only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RAISE EXCEPTION 'a session keeps its user and its token, and does not come back'
    USING ERRCODE = 'insufficient_privilege';
END $$;
