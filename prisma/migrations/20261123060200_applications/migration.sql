-- A rejected merchant applies again: which application this is, since when, and what was said about the last one.
ALTER TABLE "merchants"
  ADD COLUMN "applications" INTEGER NOT NULL DEFAULT 1,
  ADD COLUMN "applied_again_at" TIMESTAMPTZ(6),
  ADD COLUMN "application_note" TEXT,
  ADD COLUMN "previous_reason" TEXT;
