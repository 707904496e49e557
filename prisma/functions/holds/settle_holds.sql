-- Ends the holds whose time is over, of customers that the caller has locked.
CREATE OR REPLACE FUNCTION settle_holds(ids uuid[], moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  h holds;
BEGIN
  FOR h IN
    SELECT l.* FROM customers c CROSS JOIN LATERAL lapsed_holds(c.id, moment) l
    WHERE c.id = ANY (ids) AND c.held > 0 ORDER BY l.customer_id, l.expires_at, l.id
  LOOP
    PERFORM end_hold(h, 'lapsed', NULL, NULL, h.expires_at);
    PERFORM audit_hold(h, 'hold.lapsed', NULL, NULL);
    PERFORM tell_hold(h.id, 'hold.lapsed', h.expires_at);
  END LOOP;
END $$;
