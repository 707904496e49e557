-- Marks a card whose e-mail or phone is also that of an employee or owner of its merchant.
CREATE OR REPLACE FUNCTION mark_staff_card() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.phone !~ '^\+[0-9]{8,15}$' THEN NEW.phone := contact_phone(NEW.phone); END IF;
  PERFORM pg_advisory_xact_lock_shared(staff_contacts_lock(NEW.merchant_id));
  IF TG_OP = 'UPDATE' AND NEW.email IS NULL AND NEW.phone IS NULL THEN
    DELETE FROM staff_contacts s WHERE s.customer_id = NEW.id;
  ELSIF TG_OP = 'UPDATE' AND (OLD.email, OLD.phone) IS DISTINCT FROM (NEW.email, NEW.phone) THEN
    -- The contacts it gets count as former ones of everybody whose card it is.
    INSERT INTO staff_contacts (merchant_id, user_id, customer_id, kind, salt, hash, replaced_at)
    SELECT NEW.merchant_id, n.holder, NEW.id, n.kind, n.salt, sha256(n.salt || convert_to(n.value, 'UTF8')),
      clock_timestamp()
    FROM (
      SELECT o.holder, k.kind, k.value, uuid_send(gen_random_uuid()) AS salt
      FROM (
        SELECT u.id AS holder FROM users u
        WHERE u.merchant_id = OLD.merchant_id AND (u.email = OLD.email OR u.phone = OLD.phone)
        UNION
        SELECT s.user_id FROM staff_contacts s
        WHERE s.merchant_id = OLD.merchant_id
          AND s.hash = sha256(s.salt || convert_to(CASE s.kind WHEN 'email' THEN OLD.email ELSE OLD.phone END, 'UTF8'))
      ) o
      CROSS JOIN (VALUES ('email', NEW.email), ('phone', NEW.phone)) AS k(kind, value)
      WHERE k.value IS NOT NULL
    ) n;
  END IF;
  NEW.held_by_staff := is_staff_contact(NEW.merchant_id, NEW.email, NEW.phone);
  RETURN NEW;
END $$;
