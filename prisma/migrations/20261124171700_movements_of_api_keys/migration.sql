-- no-transaction
-- An API key's idempotency keys are in used_keys: only card holders and the system share the customer's.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "movements_own_key" ON "movements" ("customer_id", "idempotency_key")
  WHERE "actor_id" IS NULL AND "api_key_id" IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS "movements_customer_id_idempotency_key_key";
CREATE INDEX CONCURRENTLY IF NOT EXISTS "movements_api_key_id_created_at_idx" ON "movements" ("api_key_id", "created_at")
  WHERE "api_key_id" IS NOT NULL;
ALTER TABLE "movements" VALIDATE CONSTRAINT "movements_api_key_id_merchant_id_fkey";
