-- A trigger, so that servers of the previous version and imports keep the history, too.
CREATE OR REPLACE FUNCTION keep_card_emails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO card_emails (customer_id, email, from_at) VALUES (NEW.id, NEW.email, NEW.registered_at);
  ELSIF NEW.email IS NULL THEN
    DELETE FROM card_emails WHERE customer_id = NEW.id;
    DELETE FROM email_changes WHERE customer_id = NEW.id;
  ELSE
    UPDATE card_emails SET to_at = now() WHERE customer_id = NEW.id AND to_at IS NULL;
    INSERT INTO card_emails (customer_id, email, from_at) VALUES (NEW.id, NEW.email, now());
  END IF;
  RETURN NULL;
END $$;
