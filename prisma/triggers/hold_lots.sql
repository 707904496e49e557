CREATE OR REPLACE TRIGGER hold_lots_by_posting BEFORE INSERT OR UPDATE ON hold_lots
  FOR EACH ROW
  WHEN (NOT is_posting())
  EXECUTE FUNCTION only_by_posting();

CREATE OR REPLACE TRIGGER hold_lots_no_delete BEFORE DELETE ON hold_lots
  FOR EACH ROW EXECUTE FUNCTION append_only();

CREATE OR REPLACE TRIGGER hold_lots_no_truncate BEFORE TRUNCATE ON hold_lots
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
