-- A posting of a60e4c2c that began before the migration and waited for its card calls it afterwards: its server posts again.
CREATE OR REPLACE FUNCTION post_row(r posting_row, quiet boolean, skip boolean) RETURNS posting_outcome LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'serialization_failure', MESSAGE = 'the ledger was changed meanwhile: post again';
END $$;
