-- A change that the ledger refuses: the outcome's name, and the bound that the row met.
CREATE OR REPLACE FUNCTION refused(outcome text, allowed int DEFAULT NULL) RETURNS pocket_change LANGUAGE sql IMMUTABLE AS
  $$SELECT ROW(outcome, allowed, NULL, NULL, NULL, NULL, NULL)::pocket_change$$;
