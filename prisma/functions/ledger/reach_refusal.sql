-- Whether the row may reach its customer, branch, original and till at all: the refusal's name, or NULL when it may.
CREATE OR REPLACE FUNCTION reach_refusal(r posting_row, merchant uuid, g posting_facts) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  kind "ActorType" := coalesce(r.actor_type, 'user');
BEGIN
  RETURN CASE
    WHEN merchant IS NULL OR r.type = 'EXPIRY' THEN 'not_found'
    WHEN kind = 'user' AND g.actor_role IS NULL THEN 'not_found'
    WHEN r.type IN ('REVERSAL', 'REFUND') AND (g.original).id IS NULL THEN 'not_found'
    WHEN r.scope <> 'any' AND merchant IS DISTINCT FROM r.scope_merchant THEN 'not_found'
    WHEN r.scope = 'own' AND (r.actor IS NULL OR (g.original).actor_id IS DISTINCT FROM r.actor) THEN 'not_found'
    WHEN r.named_merchant <> merchant THEN 'branch_mismatch'
    WHEN kind = 'card_holder' AND g.at_branch IS NOT NULL THEN 'branch_mismatch'
    -- A card holder stands at no branch, the system at none unless it names one; a reversal where its original did.
    WHEN g.at_branch IS NULL AND (kind IN ('card_holder', 'system') OR r.type = 'REVERSAL') THEN NULL
    WHEN g.branch_merchant IS DISTINCT FROM merchant THEN 'branch_mismatch'
    WHEN g.archived_at IS NOT NULL AND r.type IN ('TOP_UP', 'REDEEM', 'BONUS') AND r.hold IS NULL THEN 'branch_mismatch'
  END;
END $$;
