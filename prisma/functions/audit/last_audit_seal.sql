-- The chain's last seal, also where everything before was cut; number 0 where nothing was ever sealed.
CREATE OR REPLACE FUNCTION last_audit_seal(OUT n int, OUT to_tx bigint, OUT total bigint, OUT head bytea) LANGUAGE sql STABLE AS $$
  SELECT s.n, s.to_tx, s.total, s.head FROM (
    (SELECT s.n, s.to_tx, s.total, s.head FROM audit_seals s ORDER BY s.n DESC LIMIT 1)
    UNION ALL (SELECT c.n, c.to_tx, c.total, c.head FROM audit_cuts c ORDER BY c.n DESC LIMIT 1)
    UNION ALL SELECT 0, 0, 0, first_head()
  ) s ORDER BY s.n DESC LIMIT 1
$$;
