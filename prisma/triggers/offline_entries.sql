CREATE OR REPLACE TRIGGER offline_entries_no_delete BEFORE DELETE ON offline_entries
  FOR EACH ROW EXECUTE FUNCTION append_only();

CREATE OR REPLACE TRIGGER offline_entries_no_truncate BEFORE TRUNCATE ON offline_entries
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
