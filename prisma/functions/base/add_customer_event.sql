-- Adds the event of a card that was made or changed. What was changed is not told: its reader asks for the card.
CREATE OR REPLACE FUNCTION add_customer_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_event(new.id, CASE
    WHEN TG_OP = 'INSERT' THEN 'customer.created'
    WHEN old.status = new.status THEN 'customer.changed'
    WHEN new.status = 'erased' THEN 'customer.erased'
    WHEN new.status = 'frozen' THEN 'customer.frozen'
    WHEN old.status = 'frozen' AND new.status = 'active' THEN 'customer.unfrozen'
    ELSE 'customer.changed'
  END, details := jsonb_build_object('status', new.status));
  RETURN NULL;
END $$;
