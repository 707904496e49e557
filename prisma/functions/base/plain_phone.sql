-- Writes a phone number as + and digits.
CREATE OR REPLACE FUNCTION plain_phone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.phone := contact_phone(NEW.phone);
  RETURN NEW;
END $$;
