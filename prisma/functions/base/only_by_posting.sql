-- Refuses every write of movements and balances outside the ledger's functions.
CREATE OR REPLACE FUNCTION only_by_posting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'only post_movements writes movements and balances: % of % is refused', TG_OP, TG_TABLE_NAME;
END $$;
