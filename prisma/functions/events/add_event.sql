-- Adds an event of a customer in the transaction under way, and counts it on the card's row, which stays locked until the commit.
-- `details` is what the body has and no record keeps; `moment` is the event's timestamp.
CREATE OR REPLACE FUNCTION add_event(customer uuid, type text, hold uuid DEFAULT NULL, movement uuid DEFAULT NULL,
  branch uuid DEFAULT NULL, details jsonb DEFAULT NULL, moment timestamptz DEFAULT clock_timestamp())
RETURNS void LANGUAGE sql SET wallet.posting = 'post'
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH card AS (
    UPDATE customers c SET event_count = c.event_count + 1 WHERE c.id = customer RETURNING c.merchant_id, c.event_count
  )
  INSERT INTO events (merchant_id, branch_id, subject_id, i_seq, type, movement_id, hold_id, details, created_at)
  SELECT k.merchant_id, branch, customer, k.event_count, add_event.type, movement, hold, add_event.details, moment FROM card k
$$;
