-- no-transaction: movements are posted while the index is built and the keys are checked.

-- What a shift's report adds up (till_tenders, shift_report), and the key of tills.
DROP INDEX CONCURRENTLY IF EXISTS "movements_till_id_till_period_idx";
CREATE INDEX CONCURRENTLY "movements_till_id_till_period_idx" ON "movements" ("till_id", "till_period") WHERE "till_id" IS NOT NULL;
ALTER TABLE "movements" VALIDATE CONSTRAINT "movements_till_id_fkey";
ALTER TABLE "movements" VALIDATE CONSTRAINT "movements_till";
