CREATE OR REPLACE TRIGGER branches_keep_id BEFORE UPDATE ON branches
  FOR EACH ROW
  WHEN (old.id <> new.id OR old.merchant_id <> new.merchant_id)
  EXECUTE FUNCTION refuse_posted();

CREATE OR REPLACE TRIGGER branches_keep_posted BEFORE DELETE ON branches
  FOR EACH ROW EXECUTE FUNCTION refuse_posted();

CREATE OR REPLACE TRIGGER branches_no_truncate BEFORE TRUNCATE ON branches
  FOR EACH STATEMENT EXECUTE FUNCTION movements_append_only();
