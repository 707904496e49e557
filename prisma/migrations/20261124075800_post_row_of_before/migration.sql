-- The next migration drops what a running post_movements of a60e4c2c calls. With one argument more, which has a default, this
-- stands in for it from then on: the servers of then post again. Its text is prisma/functions/previous/post_row.sql.
CREATE OR REPLACE FUNCTION post_row(r posting_row, quiet boolean, skip boolean, before boolean DEFAULT true)
RETURNS posting_outcome LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'serialization_failure', MESSAGE = 'the ledger was changed meanwhile: post again';
END $$;
