-- The same, which waits for locked customers.
CREATE OR REPLACE FUNCTION post_movements(rows jsonb, quiet boolean DEFAULT false) RETURNS SETOF posting_outcome
LANGUAGE sql SET lock_timeout = '10s'
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$ SELECT * FROM post_movements(rows, quiet, false) $$;
