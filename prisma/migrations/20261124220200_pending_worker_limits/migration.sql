-- What workers may do in a day is raised as the other settings of money are: after 24 hours.
ALTER TABLE "pending_changes"
  -- Of the points configuration: the daily limit of a worker; 0 for none.
  ADD COLUMN "worker_daily_cap" INTEGER,
  -- What one worker may redeem in a day without proof.
  ADD COLUMN "unproved_worker_daily" INTEGER,
  ADD CONSTRAINT "pending_changes_unproved" CHECK (("kind" = 'unproved') = ("unproved_worker_daily" IS NOT NULL)
    AND ("kind" <> 'unproved' OR "merchant_id" IS NOT NULL)),
  ADD CONSTRAINT "pending_changes_cap" CHECK ("worker_daily_cap" IS NULL
    OR ("kind" = 'points' AND "worker_daily_cap" BETWEEN 0 AND 1000000000));
