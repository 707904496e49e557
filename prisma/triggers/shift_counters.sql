CREATE OR REPLACE TRIGGER shift_counters_no_truncate BEFORE TRUNCATE ON shift_counters
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
