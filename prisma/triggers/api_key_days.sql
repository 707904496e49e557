CREATE OR REPLACE TRIGGER api_key_days_by_posting BEFORE INSERT OR UPDATE ON api_key_days
  FOR EACH ROW
  WHEN (NOT is_posting())
  EXECUTE FUNCTION only_by_posting();
