-- Refuses to change or remove rows.
CREATE OR REPLACE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% are append-only: % is refused', TG_TABLE_NAME, TG_OP;
END $$;
