-- no-transaction
-- A user's key is unique by two hashes of it: its text made the largest index of the table.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "movements_actor_id_key" ON "movements"
  ("actor_id", hashtextextended("idempotency_key", 0), hashtextextended("idempotency_key", 1)) WHERE "actor_id" IS NOT NULL;
