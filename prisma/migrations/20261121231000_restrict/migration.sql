-- no-transaction: each foreign key is exchanged in one short statement, then checked while postings go on.

-- A deleted merchant's override would have become the platform's.
ALTER TABLE "points_configs" DROP CONSTRAINT IF EXISTS "points_configs_merchant_id_fkey",
  ADD CONSTRAINT "points_configs_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id")
  ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
ALTER TABLE "points_configs" VALIDATE CONSTRAINT "points_configs_merchant_id_fkey";

ALTER TABLE "points_configs" DROP CONSTRAINT IF EXISTS "points_configs_changed_by_id_fkey",
  ADD CONSTRAINT "points_configs_changed_by_id_fkey" FOREIGN KEY ("changed_by_id") REFERENCES "users"("id")
  ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
ALTER TABLE "points_configs" VALIDATE CONSTRAINT "points_configs_changed_by_id_fkey";

ALTER TABLE "movements" DROP CONSTRAINT IF EXISTS "movements_reverses_id_fkey",
  ADD CONSTRAINT "movements_reverses_id_fkey" FOREIGN KEY ("reverses_id") REFERENCES "movements"("id")
  ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
ALTER TABLE "movements" VALIDATE CONSTRAINT "movements_reverses_id_fkey";

-- The keys of customer and branch hold the merchant too.
ALTER TABLE "movements" DROP CONSTRAINT IF EXISTS "movements_merchant_id_fkey";
