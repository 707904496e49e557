-- Unlocks the jobs that these pools of the job queue ran, where there is a queue, and removes those that nobody will run
-- again: queued once more by its key while it ran, a job has lost that key and its tries to its successor.
CREATE OR REPLACE FUNCTION free_jobs_of(pools text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  superseded bigint[];
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NULL THEN RETURN; END IF;
  SELECT array_agg(id) INTO superseded FROM graphile_worker.jobs
  WHERE locked_by = ANY (pools) AND key IS NULL AND attempts >= max_attempts;
  PERFORM graphile_worker.force_unlock_workers(pools);
  PERFORM graphile_worker.complete_jobs(superseded);
END $$;
