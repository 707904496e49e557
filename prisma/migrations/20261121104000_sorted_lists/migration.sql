-- Lists by name, as people look for names: small and capital letters alike, Latin and Arabic each in its own alphabet.
-- These stand only here, since the Prisma schema cannot say a collation. None holds a column that a posting changes.
CREATE INDEX "customers_by_name" ON "customers" ("full_name" COLLATE "und-x-icu", "id");
CREATE INDEX "customers_merchant_by_name" ON "customers" ("merchant_id", "full_name" COLLATE "und-x-icu", "id");
CREATE INDEX "merchants_by_name" ON "merchants" ("business_name" COLLATE "und-x-icu", "id");
CREATE INDEX "branches_by_name" ON "branches" ("name" COLLATE "und-x-icu", "id");
CREATE INDEX "branches_merchant_by_name" ON "branches" ("merchant_id", "name" COLLATE "und-x-icu", "id");
CREATE INDEX "users_merchant_by_name" ON "users"
  ("merchant_id", "first_name" COLLATE "und-x-icu", "last_name" COLLATE "und-x-icu", "id")
  WHERE "role" = 'branch_worker';
