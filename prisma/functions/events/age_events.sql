-- Forgets events after 90 days, and what was delivered after 30, some thousand at a time. Ids are by time.
CREATE OR REPLACE FUNCTION age_events() RETURNS void LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM events WHERE id IN (SELECT e.id FROM events e WHERE e.id < uuidv7(interval '-90 days') ORDER BY e.id LIMIT 20000);
  DELETE FROM webhook_deliveries WHERE id IN (
    SELECT d.id FROM webhook_deliveries d
    WHERE d.id < uuidv7(interval '-30 days') AND d.state <> 'pending' ORDER BY d.id LIMIT 20000)
$$;
