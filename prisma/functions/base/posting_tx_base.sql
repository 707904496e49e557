-- Transaction ids start again from a small number in another cluster. After a restore there, `npm run migrate` raises the
-- base above what the database keeps.
CREATE OR REPLACE FUNCTION posting_tx_base() RETURNS bigint LANGUAGE sql STABLE AS
  'SELECT tx_base FROM public.ledger_settings';
