-- Takes away what was sealed longer ago than that, at a seal, and keeps that seal's head as the chain's beginning. Only
-- for the owner's role. Answers how many entries.
CREATE OR REPLACE FUNCTION cut_audits(kept interval DEFAULT '400 days') RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  at audit_seals;
  taken bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('seal audits', 0));
  SELECT * INTO at FROM audit_seals WHERE sealed_at < now() - kept ORDER BY n DESC LIMIT 1;
  IF NOT FOUND THEN RETURN 0; END IF;
  PERFORM set_config('wallet.cutting', 'on', true);
  DELETE FROM audit_texts t USING audits a WHERE a.id = t.audit_id AND a.tx < at.to_tx;
  DELETE FROM audits WHERE tx < at.to_tx;
  GET DIAGNOSTICS taken = ROW_COUNT;
  DELETE FROM audit_seals WHERE n <= at.n;
  PERFORM set_config('wallet.cutting', '', true);
  INSERT INTO audit_cuts (n, to_tx, total, head, sealed_at) VALUES (at.n, at.to_tx, at.total, at.head, at.sealed_at);
  PERFORM write_audit(jsonb_build_object('actorType', 'system', 'job', 'cut_audits', 'action', 'audit.cut',
    'entity', 'platform', 'after', jsonb_build_object('entries', taken, 'until', at.sealed_at)));
  RETURN taken;
END $$;
