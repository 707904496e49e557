-- Whether an API key may post this row at all: the refusal's name, or NULL when it may.
CREATE OR REPLACE FUNCTION key_refusal(k api_keys, merchant uuid, at_branch uuid) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE
    WHEN k.merchant_id IS DISTINCT FROM merchant THEN 'not_found'
    WHEN k.revoked_at IS NOT NULL THEN 'key_revoked'
    WHEN k.branch_id <> at_branch THEN 'branch_mismatch'
  END;
END $$;
