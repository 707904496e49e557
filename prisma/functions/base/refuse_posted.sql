-- Branches and users of movements have a guard of their own in place of a foreign key, which would lock the same few
-- rows for every movement. Postings of the merchant hold the other side of the lock, so none can name the row while it
-- goes. A user without a merchant may post at any: all postings wait for that one.
CREATE OR REPLACE FUNCTION refuse_posted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  named boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(CASE WHEN OLD.merchant_id IS NULL THEN posting_lock() ELSE merchant_lock(OLD.merchant_id) END);
  IF TG_TABLE_NAME = 'branches' THEN
    named := EXISTS (SELECT 1 FROM movements WHERE branch_id = OLD.id);
  ELSE
    named := EXISTS (SELECT 1 FROM movements WHERE actor_id = OLD.id);
  END IF;
  IF named THEN
    RAISE EXCEPTION USING ERRCODE = 'foreign_key_violation', TABLE = 'movements',
      CONSTRAINT = 'movements_' || TG_TABLE_NAME, MESSAGE = 'a movement names this row of ' || TG_TABLE_NAME;
  END IF;
  RETURN coalesce(NEW, OLD);
END $$;
