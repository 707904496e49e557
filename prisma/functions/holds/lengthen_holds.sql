-- The end of a suspension: the holds that were open when it began have as much time left as then.
CREATE OR REPLACE FUNCTION lengthen_holds() RETURNS trigger LANGUAGE plpgsql
SET wallet.posting = 'post' SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE holds SET expires_at = expires_at + greatest(clock_timestamp() - OLD.suspended_at, interval '0')
  WHERE merchant_id = NEW.id AND state = 'open' AND expires_at > OLD.suspended_at;
  RETURN NULL;
END $$;
