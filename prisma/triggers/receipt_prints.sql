CREATE OR REPLACE TRIGGER receipt_prints_grow BEFORE DELETE OR UPDATE ON receipt_prints
  FOR EACH ROW EXECUTE FUNCTION receipt_prints_grow();

CREATE OR REPLACE TRIGGER receipt_prints_no_truncate BEFORE TRUNCATE ON receipt_prints
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
