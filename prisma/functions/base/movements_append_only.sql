-- Refuses every change of a movement, and the removal of all rows of a table that movements name.
CREATE OR REPLACE FUNCTION movements_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'movements are append-only: % is refused', TG_OP;
END $$;
