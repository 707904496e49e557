-- Why no hold may be opened on a card that the caller has locked, whatever its points; no outcome when one may.
CREATE OR REPLACE FUNCTION open_refusal(r posting_row, card customers, moment timestamptz) RETURNS pocket_change
LANGUAGE plpgsql AS $$
DECLARE
  longest int := hold_longest(r.api_key);
BEGIN
  IF r.seconds > longest THEN RETURN refused('hold_too_long', longest); END IF;
  -- A revocation of the key waits for this hold, which it shortens, or this waits for the revocation.
  IF r.api_key IS NOT NULL THEN
    PERFORM 1 FROM api_keys k WHERE k.id = r.api_key AND k.revoked_at IS NULL FOR SHARE;
    IF NOT FOUND THEN RETURN refused('key_revoked'); END IF;
  END IF;
  IF (SELECT count(*) FROM holds h WHERE h.customer_id = card.id AND h.state = 'open') >= 5 THEN
    RETURN refused('too_many_holds', 5);
  END IF;
  -- Requests in flight may pass it.
  IF (SELECT count(*) FROM (
    SELECT 1 FROM holds h WHERE h.merchant_id = card.merchant_id AND h.state = 'open' AND h.expires_at > moment LIMIT 1000
  ) few) >= 1000 THEN
    RETURN refused('too_many_holds', 1000);
  END IF;
  RETURN refused(NULL);
END $$;
