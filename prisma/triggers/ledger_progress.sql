CREATE OR REPLACE TRIGGER ledger_progress_no_delete BEFORE DELETE ON ledger_progress
  FOR EACH ROW EXECUTE FUNCTION append_only();

-- Only sealing writes seals.
CREATE OR REPLACE TRIGGER ledger_progress_no_truncate BEFORE TRUNCATE ON ledger_progress
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
