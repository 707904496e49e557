-- The columns of each movement that are sealed, as SHA-256 of the row in Postgres's own notation. A movement without a
-- till or hold has the digest that it had before they existed, and one that made one lot the digest of then.
CREATE OR REPLACE VIEW "sealed_movements" AS
SELECT m.id, m.merchant_id, m.customer_id, m.seq, m.tx, sha256(convert_to(ROW(
    m.id, m.customer_id, m.merchant_id, m.branch_id, m.actor_type, m.actor_id, m.api_key_id, m.type, m.points,
    m.paid_points, m.bonus_points, m.balance_after, m.bonus_after, m.rate, m.balance_rate, m.seq, m.idempotency_key,
    m.request_hash, m.reverses_id, m.reverses_type, m.refunds_id, m.tender, m.sale_ref, m.proof, m.proof_ref,
    m.actor_name, m.branch_name, encode(m.text_hash, 'hex'), m.tx,
    extract(epoch FROM m.occurred_at), extract(epoch FROM m.created_at),
    CASE WHEN m.bonus_points <> 0 THEN (
      SELECT string_agg(concat_ws(' ', l.lot_id, l.points, extract(epoch FROM l.extended_to)), ',' ORDER BY l.lot_id)
      FROM lot_moves l WHERE l.movement_id = m.id
    ) END,
    CASE WHEN m.bonus_points > 0 AND m.type NOT IN ('REVERSAL', 'REFUND') THEN (
      SELECT string_agg(concat_ws(' ', l.points, extract(epoch FROM l.granted_ends_at)), ',' ORDER BY l.id)
      FROM lots l WHERE l.movement_id = m.id
    ) END
  )::text || CASE WHEN m.till_id IS NULL AND m.till_period IS NULL THEN ''
    ELSE concat(' till ', m.till_id, ' ', m.till_period) END
    || CASE WHEN m.hold_id IS NULL THEN '' ELSE concat(' hold ', m.hold_id) END, 'UTF8')) AS digest
FROM movements m;
