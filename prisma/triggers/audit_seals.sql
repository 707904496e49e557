CREATE OR REPLACE TRIGGER audit_seals_no_change BEFORE DELETE OR UPDATE ON audit_seals
  FOR EACH ROW
  WHEN (NOT is_cutting())
  EXECUTE FUNCTION append_only();

CREATE OR REPLACE TRIGGER audit_seals_no_truncate BEFORE TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
