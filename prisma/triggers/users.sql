CREATE OR REPLACE TRIGGER users_active_since BEFORE INSERT OR UPDATE OF status, active_since ON users
  FOR EACH ROW EXECUTE FUNCTION keep_active_since();

CREATE OR REPLACE TRIGGER users_announced AFTER UPDATE ON users
  FOR EACH ROW
  WHEN (new.role IS DISTINCT FROM old.role OR new.status IS DISTINCT FROM old.status OR new.password_hash IS
    DISTINCT FROM old.password_hash OR new.email IS DISTINCT FROM old.email OR new.first_name IS DISTINCT FROM
    old.first_name OR new.last_name IS DISTINCT FROM old.last_name OR new.phone IS DISTINCT FROM old.phone OR
    new.locale IS DISTINCT FROM old.locale OR new.branch_id IS DISTINCT FROM old.branch_id OR new.merchant_id IS
    DISTINCT FROM old.merchant_id)
  EXECUTE FUNCTION announce_session_change('user', 'id');

CREATE OR REPLACE TRIGGER users_contacts AFTER INSERT OR UPDATE OF email, phone, merchant_id ON users
  FOR EACH ROW EXECUTE FUNCTION keep_staff_contacts();

CREATE OR REPLACE TRIGGER users_disabled_at BEFORE INSERT OR UPDATE OF status, disabled_at ON users
  FOR EACH ROW EXECUTE FUNCTION keep_disabled_at();

CREATE OR REPLACE TRIGGER users_keep_id BEFORE UPDATE ON users
  FOR EACH ROW
  WHEN (old.id <> new.id)
  EXECUTE FUNCTION refuse_posted();

CREATE OR REPLACE TRIGGER users_keep_posted BEFORE DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION refuse_posted();

CREATE OR REPLACE TRIGGER users_no_truncate BEFORE TRUNCATE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION movements_append_only();

CREATE OR REPLACE TRIGGER users_phone BEFORE INSERT OR UPDATE OF phone ON users
  FOR EACH ROW
  WHEN (new.phone !~ '^\+[0-9]{8,15}$'::text)
  EXECUTE FUNCTION plain_phone();
