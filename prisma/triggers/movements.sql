CREATE OR REPLACE TRIGGER movements_by_posting BEFORE INSERT ON movements
  FOR EACH ROW
  WHEN (NOT is_posting())
  EXECUTE FUNCTION only_by_posting();

CREATE OR REPLACE TRIGGER movements_no_change BEFORE DELETE OR UPDATE ON movements
  FOR EACH ROW EXECUTE FUNCTION movements_append_only();

CREATE OR REPLACE TRIGGER movements_no_truncate BEFORE TRUNCATE ON movements
  FOR EACH STATEMENT EXECUTE FUNCTION movements_append_only();
