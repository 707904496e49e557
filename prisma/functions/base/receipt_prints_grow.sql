-- A receipt that was printed stays printed: a second original is not to be had by counting anew.
CREATE OR REPLACE FUNCTION receipt_prints_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR NEW.movement_id <> OLD.movement_id OR NEW.prints < OLD.prints THEN
    RAISE EXCEPTION 'prints of receipts are never taken back';
  END IF;
  RETURN NEW;
END $$;
