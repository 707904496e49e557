-- Servers remember a session for a few seconds (lib/accounts/session-memory.ts). Each change of what they remember is
-- announced, so that they forget it at once. The payload is whose change it was, such as "user:<id>".
CREATE OR REPLACE FUNCTION announce_session_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('wallet_sessions', TG_ARGV[0] || ':' || (
    to_jsonb(CASE TG_OP WHEN 'DELETE' THEN old ELSE new END) ->> TG_ARGV[1]));
  RETURN NULL;
END $$;
