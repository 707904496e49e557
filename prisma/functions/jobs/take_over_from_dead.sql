-- Frees what processes held that have not been seen for so long: their e-mails and jobs are due at once. A process that
-- died in its first moments may have begun jobs before it could register their pool: no registration names it.
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
  IF dead IS NOT NULL THEN
    UPDATE emails SET claimed_by = NULL, next_try_at = now() WHERE claimed_by = ANY (dead) AND status = 'queued';
  END IF;
  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
    SELECT pools || array_agg(DISTINCT j.locked_by) INTO pools FROM graphile_worker.jobs j
    WHERE j.locked_at < now() - patience
      AND NOT EXISTS (SELECT FROM background_workers w WHERE w.job_pool = j.locked_by);
  END IF;
  IF pools IS NOT NULL THEN PERFORM free_jobs_of(pools); END IF;
END $$;
