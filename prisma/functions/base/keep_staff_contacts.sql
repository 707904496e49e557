-- Keeps what a member of staff replaces, and marks the cards that carry what is new.
CREATE OR REPLACE FUNCTION keep_staff_contacts() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (OLD.merchant_id, OLD.email, OLD.phone) IS NOT DISTINCT FROM (NEW.merchant_id, NEW.email, NEW.phone) THEN
      RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(staff_contacts_lock(OLD.merchant_id));
    INSERT INTO staff_contacts (merchant_id, user_id, kind, salt, hash, replaced_at)
    SELECT OLD.merchant_id, OLD.id, n.kind, n.salt, sha256(n.salt || convert_to(n.value, 'UTF8')), clock_timestamp()
    FROM (
      SELECT k.kind, k.value, uuid_send(gen_random_uuid()) AS salt
      FROM (VALUES ('email', OLD.email, NEW.email), ('phone', OLD.phone, NEW.phone)) AS k(kind, value, next)
      WHERE k.value IS NOT NULL
        AND (k.value IS DISTINCT FROM k.next OR OLD.merchant_id IS DISTINCT FROM NEW.merchant_id)
    ) n WHERE OLD.merchant_id IS NOT NULL;
  END IF;
  IF NEW.merchant_id IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(staff_contacts_lock(NEW.merchant_id));
    UPDATE customers c SET held_by_staff = true
    WHERE c.merchant_id = NEW.merchant_id AND NOT c.held_by_staff AND (c.email = NEW.email OR c.phone = NEW.phone);
  END IF;
  RETURN NULL;
END $$;
