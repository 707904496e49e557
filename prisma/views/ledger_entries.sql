-- Double entry: every movement as lines whose sum is zero, in points and in dirhams at the movement's own rate. Above 0 is
-- debit, below 0 credit. A reversal takes the accounts of what it reverses.
CREATE OR REPLACE VIEW "ledger_entries" AS
SELECT m.id AS movement_id, line.n AS line, m.merchant_id, m.created_at, m.type, line.account,
  coalesce(o.tender, m.tender) AS tender, line.branch_id, line.branch_name, line.points,
  line.points::bigint * m.rate AS dirhams
FROM movements m
LEFT JOIN movements o ON o.id = m.reverses_id
CROSS JOIN LATERAL (VALUES
  (1, CASE coalesce(m.reverses_type, m.type)
      WHEN 'TOP_UP' THEN 'tender'
      WHEN 'BONUS' THEN 'bonus_expense'
      WHEN 'REDEEM' THEN 'redeemed'
      WHEN 'REFUND' THEN 'redeemed'
      WHEN 'EXPIRY' THEN 'expired'
      WHEN 'IMPORT' THEN 'imported'
      ELSE 'adjustments'
    END, m.branch_id, m.branch_name, m.points),
  (2, 'customers_paid', NULL, NULL, -m.paid_points),
  (3, 'customers_bonus', NULL, NULL, -m.bonus_points)
) AS line(n, account, branch_id, branch_name, points)
WHERE line.points <> 0;
