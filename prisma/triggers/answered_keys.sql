CREATE OR REPLACE TRIGGER answered_keys_by_posting BEFORE INSERT OR UPDATE ON answered_keys
  FOR EACH ROW
  WHEN (NOT is_posting())
  EXECUTE FUNCTION only_by_posting();
