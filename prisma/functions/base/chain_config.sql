-- Adds a version of the configuration to its chain.
CREATE OR REPLACE FUNCTION chain_config() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  last config_seals;
BEGIN
  SELECT * INTO last FROM config_seals s
  WHERE s.merchant_id = NEW.merchant_id OR (NEW.merchant_id IS NULL AND s.merchant_id IS NULL)
  ORDER BY s.version DESC LIMIT 1;
  IF last.version >= NEW.version THEN
    RAISE EXCEPTION 'version % of the configuration comes after version %', NEW.version, last.version;
  END IF;
  INSERT INTO config_seals (config_id, merchant_id, version, head)
  SELECT v.id, v.merchant_id, v.version, sha256(coalesce(last.head, first_head()) || v.digest)
  FROM sealed_configs v WHERE v.id = NEW.id;
  RETURN NULL;
END $$;
