-- A key that was replaced stays replaced, since that day.
CREATE OR REPLACE TRIGGER till_former_keys_no_change BEFORE DELETE OR UPDATE ON till_former_keys
  FOR EACH ROW EXECUTE FUNCTION append_only();

CREATE OR REPLACE TRIGGER till_former_keys_no_truncate BEFORE TRUNCATE ON till_former_keys
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
