-- Servers remember a session for a few seconds (lib/accounts/session-memory.ts). Each change of what they remember is
-- announced, so that they forget it at once. The payload is whose change it was, such as "user:<id>".
CREATE FUNCTION announce_session_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('wallet_sessions', TG_ARGV[0] || ':' || (
    to_jsonb(CASE TG_OP WHEN 'DELETE' THEN old ELSE new END) ->> TG_ARGV[1]));
  RETURN NULL;
END $$;

-- Not for each use of a session, which only extends it.
CREATE TRIGGER sessions_announced AFTER UPDATE ON sessions FOR EACH ROW
  WHEN (new.revoked_at IS DISTINCT FROM old.revoked_at OR new.token_hash IS DISTINCT FROM old.token_hash
    OR new.stepped_up_until IS DISTINCT FROM old.stepped_up_until OR new.expires_at < old.expires_at)
  EXECUTE FUNCTION announce_session_change('session', 'id');
-- An expired session is not remembered, so its removal is not announced.
CREATE TRIGGER sessions_removed AFTER DELETE ON sessions FOR EACH ROW
  WHEN (old.revoked_at IS NULL AND old.expires_at > now())
  EXECUTE FUNCTION announce_session_change('session', 'id');

CREATE TRIGGER users_announced AFTER UPDATE ON users FOR EACH ROW
  WHEN (new.role IS DISTINCT FROM old.role OR new.status IS DISTINCT FROM old.status
    OR new.password_hash IS DISTINCT FROM old.password_hash OR new.email IS DISTINCT FROM old.email
    OR new.first_name IS DISTINCT FROM old.first_name OR new.last_name IS DISTINCT FROM old.last_name
    OR new.phone IS DISTINCT FROM old.phone OR new.locale IS DISTINCT FROM old.locale
    OR new.branch_id IS DISTINCT FROM old.branch_id OR new.merchant_id IS DISTINCT FROM old.merchant_id)
  EXECUTE FUNCTION announce_session_change('user', 'id');

CREATE TRIGGER merchants_announced AFTER UPDATE ON merchants FOR EACH ROW
  WHEN (new.status IS DISTINCT FROM old.status OR new.status_reason IS DISTINCT FROM old.status_reason
    OR new.tenders IS DISTINCT FROM old.tenders OR new.suspended_at IS DISTINCT FROM old.suspended_at
    OR new.suspension_reason IS DISTINCT FROM old.suspension_reason
    OR new.business_name IS DISTINCT FROM old.business_name OR new.image_key IS DISTINCT FROM old.image_key)
  EXECUTE FUNCTION announce_session_change('merchant', 'id');

CREATE TRIGGER second_factors_announced AFTER INSERT OR DELETE ON second_factors FOR EACH ROW
  EXECUTE FUNCTION announce_session_change('user', 'user_id');
CREATE TRIGGER second_factors_confirmed AFTER UPDATE ON second_factors FOR EACH ROW
  WHEN (new.confirmed_at IS DISTINCT FROM old.confirmed_at)
  EXECUTE FUNCTION announce_session_change('user', 'user_id');
