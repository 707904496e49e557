-- Not for each use of a session, which only extends it, and not for each of its writes: what was remembered of a session that
-- wrote in the last five seconds says so.
CREATE OR REPLACE TRIGGER sessions_announced AFTER UPDATE ON sessions
  FOR EACH ROW
  WHEN (new.revoked_at IS DISTINCT FROM old.revoked_at OR new.token_hash IS DISTINCT FROM old.token_hash OR
    new.stepped_up_until IS DISTINCT FROM old.stepped_up_until OR new.expires_at < old.expires_at OR
    new.wrote_at IS DISTINCT FROM old.wrote_at AND (old.wrote_at IS NULL OR (new.wrote_at - old.wrote_at) >= '00:00:05'::interval))
  EXECUTE FUNCTION announce_session_change('session', 'id');

CREATE OR REPLACE TRIGGER sessions_kept BEFORE UPDATE ON sessions
  FOR EACH ROW
  WHEN (old.user_id <> new.user_id OR old.revoked_at IS NOT NULL AND new.revoked_at IS NULL OR new.token_hash IS
    NOT NULL AND new.token_hash IS DISTINCT FROM old.token_hash)
  EXECUTE FUNCTION sessions_guard();

CREATE OR REPLACE TRIGGER sessions_opened BEFORE INSERT ON sessions
  FOR EACH ROW EXECUTE FUNCTION sessions_guard();

-- An expired session is not remembered, so its removal is not announced.
CREATE OR REPLACE TRIGGER sessions_removed AFTER DELETE ON sessions
  FOR EACH ROW
  WHEN (old.revoked_at IS NULL AND old.expires_at > now())
  EXECUTE FUNCTION announce_session_change('session', 'id');
