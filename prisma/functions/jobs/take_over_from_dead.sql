-- Frees what processes held that have not been seen for so long: their e-mails and jobs are due at once.
CREATE OR REPLACE FUNCTION take_over_from_dead(patience interval) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  dead uuid[];
  pools text[];
BEGIN
  WITH gone AS (
    DELETE FROM background_workers WHERE id IN (
      SELECT id FROM background_workers WHERE seen_at < now() - patience FOR UPDATE SKIP LOCKED)
    RETURNING id, job_pool
  )
  SELECT array_agg(id), array_agg(job_pool) FILTER (WHERE job_pool IS NOT NULL) INTO dead, pools FROM gone;
  IF dead IS NULL THEN RETURN; END IF;
  UPDATE emails SET claimed_by = NULL, next_try_at = now() WHERE claimed_by = ANY (dead) AND status = 'queued';
  IF pools IS NOT NULL THEN PERFORM free_jobs_of(pools); END IF;
END $$;
