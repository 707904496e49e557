-- Refuses a balance above the maximum of the configuration in force, whoever writes it.
CREATE OR REPLACE FUNCTION balance_within_maximum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.balance > (SELECT p.max_balance FROM points_config_in_force(NEW.merchant_id) p) THEN
    RAISE EXCEPTION 'the balance would exceed the maximum in force';
  END IF;
  RETURN NEW;
END $$;
