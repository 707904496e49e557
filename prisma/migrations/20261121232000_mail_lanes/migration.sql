-- E-mails go out in lanes, claimed by a process that is known to be alive.
CREATE TYPE "EmailLane" AS ENUM ('account', 'receipt');

ALTER TABLE "emails" ADD COLUMN "lane" "EmailLane" NOT NULL DEFAULT 'account',
ADD COLUMN "customer_id" UUID,
ADD COLUMN "claimed_by" UUID;

ALTER TABLE "emails" ADD CONSTRAINT "emails_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Read when a customer deletes the card.
CREATE INDEX "emails_customer_id_idx" ON "emails"("customer_id");

-- Read by every claim: what is due in a lane.
CREATE INDEX "emails_due" ON "emails"("lane", "next_try_at") WHERE "status" = 'queued' AND "claimed_by" IS NULL;
-- Read when a process died or stopped: what it had claimed.
CREATE INDEX "emails_claimed" ON "emails"("claimed_by") WHERE "claimed_by" IS NOT NULL;

-- A receipt carries its movement's id.
UPDATE "emails" e SET "lane" = 'receipt', "customer_id" = m."customer_id"
FROM "movements" m WHERE m."id" = e."id" AND e."status" = 'queued';

-- Processes that do background work, and when each was last known to be alive.
CREATE TABLE "background_workers" (
    "id" UUID NOT NULL,
    "job_pool" TEXT,
    "seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "background_workers_pkey" PRIMARY KEY ("id")
);

-- Unlocks the jobs that these pools of the job queue ran, where there is a queue, and removes those that nobody will run
-- again: queued once more by its key while it ran, a job has lost that key and its tries to its successor.
CREATE FUNCTION free_jobs_of(pools text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  superseded bigint[];
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NULL THEN RETURN; END IF;
  SELECT array_agg(id) INTO superseded FROM graphile_worker.jobs
  WHERE locked_by = ANY (pools) AND key IS NULL AND attempts >= max_attempts;
  PERFORM graphile_worker.force_unlock_workers(pools);
  PERFORM graphile_worker.complete_jobs(superseded);
END $$;

-- Frees what processes held that have not been seen for so long: their e-mails and jobs are due at once.
CREATE FUNCTION take_over_from_dead(patience interval) RETURNS void LANGUAGE plpgsql AS $$
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
