-- The number of the transaction under way, in the order in which seals and sums count what was posted.
CREATE OR REPLACE FUNCTION posting_tx() RETURNS bigint LANGUAGE sql STABLE AS
  'SELECT pg_current_xact_id()::text::bigint + posting_tx_base()';
