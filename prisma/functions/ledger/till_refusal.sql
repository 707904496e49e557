-- Whether the row may be posted at its till, or without one: the refusal's name, or NULL when it may.
CREATE OR REPLACE FUNCTION till_refusal(r posting_row, merchant uuid, g posting_facts) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE
    WHEN r.till IS NULL THEN CASE WHEN g.till_required AND g.actor_role = 'branch_worker' THEN 'till_required' END
    WHEN g.till_merchant IS DISTINCT FROM merchant THEN 'branch_mismatch'
    WHEN g.till_retired_at IS NOT NULL AND r.late IS NOT TRUE THEN 'till_retired'
  END;
END $$;
