-- Adds the test event of a webhook endpoint, which alone gets it; answers its id.
CREATE OR REPLACE FUNCTION add_test_event(endpoint uuid) RETURNS uuid LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO events (merchant_id, subject_id, type, created_at)
  SELECT w.merchant_id, w.id, 'endpoint.test', clock_timestamp() FROM webhook_endpoints w WHERE w.id = endpoint
  RETURNING id
$$;
