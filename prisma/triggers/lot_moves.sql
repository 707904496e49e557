CREATE OR REPLACE TRIGGER lot_moves_by_posting BEFORE INSERT ON lot_moves
  FOR EACH ROW
  WHEN (NOT is_posting())
  EXECUTE FUNCTION only_by_posting();

CREATE OR REPLACE TRIGGER lot_moves_no_change BEFORE DELETE OR UPDATE ON lot_moves
  FOR EACH ROW EXECUTE FUNCTION append_only();

CREATE OR REPLACE TRIGGER lot_moves_no_truncate BEFORE TRUNCATE ON lot_moves
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
