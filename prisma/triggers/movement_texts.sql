CREATE OR REPLACE TRIGGER movement_texts_by_posting BEFORE INSERT ON movement_texts
  FOR EACH ROW
  WHEN (NOT is_posting())
  EXECUTE FUNCTION only_by_posting();

CREATE OR REPLACE TRIGGER movement_texts_no_change BEFORE UPDATE ON movement_texts
  FOR EACH ROW EXECUTE FUNCTION append_only();

CREATE OR REPLACE TRIGGER movement_texts_no_truncate BEFORE TRUNCATE ON movement_texts
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
