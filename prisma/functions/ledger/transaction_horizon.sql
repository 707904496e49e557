-- Every transaction below the horizon has ended: no later commit can add a movement there.
CREATE OR REPLACE FUNCTION transaction_horizon() RETURNS bigint LANGUAGE sql VOLATILE AS
  'SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + posting_tx_base()';
