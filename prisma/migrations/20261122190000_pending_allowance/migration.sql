-- A higher allowance of unproved redemptions waits like a change of the points configuration, beside it.

-- CreateEnum
CREATE TYPE "PendingKind" AS ENUM ('points', 'allowance');

-- AlterTable
ALTER TABLE "pending_changes" ADD COLUMN "kind" "PendingKind" NOT NULL DEFAULT 'points',
  -- The merchant's allowance, or the platform's ceiling of it where there is no merchant.
  ADD COLUMN "redeem_allowance" INTEGER,
  ADD CONSTRAINT "pending_changes_kind" CHECK (("kind" = 'allowance') = ("redeem_allowance" IS NOT NULL)),
  ADD CONSTRAINT "pending_changes_allowance" CHECK ("kind" = 'points' OR (NOT "withdrawal" AND NOT "needs_approval"
    AND num_nonnulls("dirhams_per_point", "min_top_up", "max_top_up", "max_balance", "undo_minutes") = 0));

-- One open change of a kind a merchant, and one of the platform.
DROP INDEX "pending_changes_open_key";
CREATE UNIQUE INDEX "pending_changes_open_key" ON "pending_changes" ("kind", "merchant_id") NULLS NOT DISTINCT
  WHERE "closed_at" IS NULL;
