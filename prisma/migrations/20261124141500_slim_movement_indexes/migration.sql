-- no-transaction
-- Half the size: rows come in ascending order, and no list needs the id in the index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "movements_merchant_id_created_at_idx" ON "movements" ("merchant_id", "created_at");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "movements_branch_id_created_at_idx" ON "movements" ("branch_id", "created_at");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "movements_actor_id_created_at_idx" ON "movements" ("actor_id", "created_at");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "movements_created_at_idx" ON "movements" ("created_at");
DROP INDEX CONCURRENTLY IF EXISTS "movements_merchant_id_created_at_id_idx";
DROP INDEX CONCURRENTLY IF EXISTS "movements_branch_id_created_at_id_idx";
DROP INDEX CONCURRENTLY IF EXISTS "movements_actor_id_created_at_id_idx";
DROP INDEX CONCURRENTLY IF EXISTS "movements_created_at_id_idx";
