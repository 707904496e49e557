-- A running post_movements of a60e4c2c calls it with three arguments: the servers of then post again.
CREATE OR REPLACE FUNCTION post_row(r posting_row, quiet boolean, skip boolean, before boolean DEFAULT true)
RETURNS posting_outcome LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'serialization_failure', MESSAGE = 'the ledger was changed meanwhile: post again';
END $$;
