-- no-transaction
ALTER TABLE "customers" VALIDATE CONSTRAINT "customers_code_form";
CREATE UNIQUE INDEX CONCURRENTLY "customers_merchant_id_code_key" ON "customers" ("merchant_id", "code");
-- The cards that wait for theirs.
CREATE INDEX CONCURRENTLY "customers_without_code" ON "customers" ("id") WHERE "code" IS NULL;
