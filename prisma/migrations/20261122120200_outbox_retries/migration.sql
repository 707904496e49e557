-- A movement whose receipt could not be made is tried again later, and does not hold up those after it.
ALTER TABLE "posting_outbox"
  ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 0,
  -- Null: at once.
  ADD COLUMN "next_try_at" TIMESTAMPTZ(6);
