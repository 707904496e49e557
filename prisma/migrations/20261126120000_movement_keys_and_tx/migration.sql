-- no-transaction
-- Rows land on old pages that have some space left, and a BRIN range of 32 pages with one of them is read whole.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "movements_tx_idx" ON "movements" ("tx");
-- Two hashes of user and key together: the user's id in each entry took the bytes that the index above needs.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "movements_user_key" ON "movements"
  (uuid_hash_extended("actor_id", hashtextextended("idempotency_key", 0)), uuid_hash_extended("actor_id", hashtextextended("idempotency_key", 1)))
  WHERE "actor_id" IS NOT NULL;
