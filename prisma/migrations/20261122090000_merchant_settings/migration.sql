-- What a merchant's owner sets for staff and tills. Existing merchants get the defaults.
ALTER TABLE "merchants"
  ADD COLUMN "till_required" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "idle_lock_minutes" INTEGER NOT NULL DEFAULT 3,
  ADD COLUMN "offline_max_top_up" INTEGER NOT NULL DEFAULT 200,
  ADD COLUMN "offline_max_total" INTEGER NOT NULL DEFAULT 2000,
  ADD COLUMN "drawer_tolerance" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "unproved_worker_daily" INTEGER NOT NULL DEFAULT 500,
  ADD COLUMN "tenders" "Tender"[] NOT NULL DEFAULT ARRAY['cash', 'card', 'bank', 'online', 'other']::"Tender"[],
  ADD COLUMN "ask_sale_ref" BOOLEAN NOT NULL DEFAULT true,
  ADD CONSTRAINT "merchants_settings_check" CHECK (
    "refund_days" BETWEEN 0 AND 365 AND "idle_lock_minutes" BETWEEN 0 AND 120
    AND "offline_max_top_up" >= 0 AND "offline_max_total" >= 0 AND "drawer_tolerance" >= 0
    AND "unproved_worker_daily" >= 0 AND cardinality("tenders") BETWEEN 1 AND 5);
