-- Why a movement may not be reversed, whatever is left of it; or NULL.
CREATE OR REPLACE FUNCTION reversal_refusal(r posting_row, g posting_facts, moment timestamptz) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  o movements := g.original;
BEGIN
  RETURN CASE
    -- A user and a key stand at a branch: what was posted at none is not theirs to reverse.
    WHEN o.type IN ('REVERSAL', 'EXPIRY')
      OR (o.branch_id IS NULL AND coalesce(r.actor_type, 'user') IN ('user', 'api_key')) THEN 'not_reversible'
    WHEN r.scope = 'own' AND moment > o.created_at + g.undo_minutes * interval '1 minute' THEN 'undo_expired'
    WHEN r.scope = 'own' AND EXISTS (
      SELECT 1 FROM movements l WHERE l.customer_id = o.customer_id AND l.seq > o.seq AND l.type <> 'EXPIRY'
    ) THEN 'not_latest'
    -- The cash is in another drawer: given back from this one, a theft here would leave no difference.
    WHEN r.till IS NOT NULL AND g.actor_role = 'branch_worker' AND o.type = 'TOP_UP' AND o.tender = 'cash'
      AND o.till_id IS DISTINCT FROM r.till THEN 'other_till'
    WHEN o.type = 'REDEEM' AND EXISTS (
      SELECT 1 FROM movements f WHERE f.refunds_id = o.id
        AND NOT EXISTS (SELECT 1 FROM movements v WHERE v.reverses_id = f.id)
    ) THEN 'refunded'
    WHEN o.points < 0 AND o.rate > g.dirhams_per_point THEN 'value_lowered'
  END;
END $$;
