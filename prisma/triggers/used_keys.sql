CREATE OR REPLACE TRIGGER used_keys_by_posting BEFORE INSERT OR UPDATE ON used_keys
  FOR EACH ROW
  WHEN (NOT is_posting())
  EXECUTE FUNCTION only_by_posting();
