-- Transaction ids start again from a small number in another cluster. After a restore there, the owner raises tx_base of
-- ledger_settings above max(tx) of movements.
CREATE OR REPLACE FUNCTION posting_tx_base() RETURNS bigint LANGUAGE sql STABLE AS
  'SELECT tx_base FROM public.ledger_settings';
