-- Changes of the points configuration that wait before they take effect.

-- CreateEnum
CREATE TYPE "PendingOutcome" AS ENUM ('applied', 'cancelled', 'replaced', 'dropped');

-- CreateTable
CREATE TABLE "pending_changes" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    -- Null: the platform's.
    "merchant_id" UUID,
    "withdrawal" BOOLEAN NOT NULL DEFAULT false,
    -- The new values; null where a value stays.
    "dirhams_per_point" INTEGER,
    "min_top_up" INTEGER,
    "max_top_up" INTEGER,
    "max_balance" INTEGER,
    "undo_minutes" INTEGER,
    "before" JSONB NOT NULL,
    "needs_approval" BOOLEAN NOT NULL,
    "alone" BOOLEAN NOT NULL,
    "mails" TEXT[],
    "asked_by_id" UUID NOT NULL,
    "asked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "effective_at" TIMESTAMPTZ(6) NOT NULL,
    "approved_by_id" UUID,
    "approved_at" TIMESTAMPTZ(6),
    "closed_at" TIMESTAMPTZ(6),
    "outcome" "PendingOutcome",

    CONSTRAINT "pending_changes_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "pending_changes_withdrawal" CHECK (NOT "withdrawal" OR "merchant_id" IS NOT NULL),
    CONSTRAINT "pending_changes_second" CHECK ("approved_by_id" <> "asked_by_id"),
    CONSTRAINT "pending_changes_approved" CHECK (("approved_by_id" IS NULL) = ("approved_at" IS NULL)),
    CONSTRAINT "pending_changes_closed" CHECK (("closed_at" IS NULL) = ("outcome" IS NULL)),
    -- What takes effect waited, and was approved where it had to be.
    CONSTRAINT "pending_changes_applied" CHECK ("outcome" IS DISTINCT FROM 'applied'
      OR ("closed_at" >= "effective_at" AND (NOT "needs_approval" OR "approved_by_id" IS NOT NULL)))
);

-- CreateIndex
CREATE INDEX "pending_changes_merchant_id_idx" ON "pending_changes"("merchant_id");

-- CreateIndex
CREATE INDEX "pending_changes_asked_by_id_idx" ON "pending_changes"("asked_by_id");

-- CreateIndex
CREATE INDEX "pending_changes_approved_by_id_idx" ON "pending_changes"("approved_by_id");

-- One open change a merchant, and one of the platform.
CREATE UNIQUE INDEX "pending_changes_open_key" ON "pending_changes" ("merchant_id") NULLS NOT DISTINCT
  WHERE "closed_at" IS NULL;
-- Readers: the job of each minute.
CREATE INDEX "pending_changes_unmailed_idx" ON "pending_changes" ("id") WHERE "mails" <> '{}';

-- AddForeignKey
ALTER TABLE "pending_changes" ADD CONSTRAINT "pending_changes_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pending_changes" ADD CONSTRAINT "pending_changes_asked_by_id_fkey" FOREIGN KEY ("asked_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pending_changes" ADD CONSTRAINT "pending_changes_approved_by_id_fkey" FOREIGN KEY ("approved_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
