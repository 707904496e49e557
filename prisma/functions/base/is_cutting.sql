-- Append-only for everybody; only cut_audits takes away the old ones.
CREATE OR REPLACE FUNCTION is_cutting() RETURNS boolean LANGUAGE sql STABLE AS
  $$SELECT coalesce(current_setting('wallet.cutting', true) = 'on', false)$$;
