-- The open holds of a revoked API key end within ten minutes. The caller holds the key's row.
CREATE OR REPLACE FUNCTION shorten_holds(key uuid, moment timestamptz) RETURNS void LANGUAGE sql
SET wallet.posting = 'post' SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE holds SET expires_at = moment + interval '10 minutes'
  WHERE api_key_id = key AND state = 'open' AND expires_at > moment + interval '10 minutes'
    -- Only of a key that is revoked: anybody may call it.
    AND EXISTS (SELECT 1 FROM api_keys k WHERE k.id = key AND k.revoked_at IS NOT NULL)
$$;
