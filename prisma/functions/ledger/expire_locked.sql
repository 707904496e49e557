-- Posts the EXPIRYs that are due for customers whose rows the caller has locked; answers how many. None for a merchant
-- that is suspended. Ends the holds whose time is over first; what an open hold reserves stays.
CREATE OR REPLACE FUNCTION expire_locked(ids uuid[], clock timestamptz, quiet boolean) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  expired int;
BEGIN
  PERFORM settle_holds(ids, clock);
  WITH due AS MATERIALIZED (
    SELECT uuidv7() AS id, l.id AS lot, l.remaining - l.held AS remaining, l.ends_at, c.id AS customer_id, c.merchant_id, c.balance, c.bonus,
      p.dirhams_per_point AS rate, greatest(clock, c.last_posted_at) AS moment,
      c.movement_count + row_number() OVER own AS seq, c.event_count + row_number() OVER own AS event,
      sum(l.remaining - l.held) OVER own AS gone
    FROM lots l
    JOIN customers c ON c.id = l.customer_id
    JOIN merchants s ON s.id = c.merchant_id AND s.suspended_at IS NULL
    CROSS JOIN LATERAL points_config_in_force(c.merchant_id) p
    WHERE l.customer_id = ANY (ids) AND l.remaining > 0 AND l.remaining > l.held AND l.ends_at <= greatest(clock, c.last_posted_at)
    WINDOW own AS (PARTITION BY c.id ORDER BY l.ends_at, l.id)
  ), ins AS (
    INSERT INTO movements (id, customer_id, merchant_id, actor_type, type, points, paid_points, bonus_points,
      balance_after, bonus_after, rate, balance_rate, seq, idempotency_key, request_hash, tx, occurred_at, created_at)
    SELECT id, customer_id, merchant_id, 'system', 'EXPIRY', -remaining, 0, -remaining, balance - gone, bonus - gone,
      rate, rate, seq, 'expiry ' || seq, lot::text, posting_tx(), ends_at, moment
    FROM due ORDER BY customer_id, seq
  ), moves AS (
    INSERT INTO lot_moves (movement_id, lot_id, points) SELECT id, lot, -remaining FROM due
  ), emptied AS (
    UPDATE lots l SET remaining = l.held FROM due WHERE l.id = due.lot
  ), told AS (
    INSERT INTO posting_outbox SELECT id FROM due WHERE NOT quiet
  ), happened AS (
    INSERT INTO events (merchant_id, subject_id, i_seq, type, movement_id, tx, created_at)
    SELECT merchant_id, customer_id, event, 'expiry.posted', id, posting_tx(), moment FROM due WHERE NOT quiet
  ), held AS (
    UPDATE customers c
    SET balance = c.balance - n.gone, bonus = c.bonus - n.gone, movement_count = n.seq, last_posted_at = n.moment,
      event_count = CASE WHEN quiet THEN c.event_count ELSE n.event END
    FROM (SELECT customer_id, max(gone) AS gone, max(seq) AS seq, max(event) AS event, max(moment) AS moment FROM due GROUP BY 1) n
    WHERE c.id = n.customer_id
  )
  SELECT count(*) INTO expired FROM due;
  RETURN expired;
END $$;
