-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "movements_hold_id_idx" ON "movements" ("hold_id") WHERE "hold_id" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "lots_movement_id_idx" ON "lots" ("movement_id");
ALTER TABLE "movements" VALIDATE CONSTRAINT "movements_hold";
ALTER TABLE "movements" VALIDATE CONSTRAINT "movements_hold_id_fkey";
ALTER TABLE "used_keys" VALIDATE CONSTRAINT "used_keys_tombstone";
ALTER TABLE "used_keys" VALIDATE CONSTRAINT "used_keys_hold_id_fkey";
ALTER TABLE "answered_keys" VALIDATE CONSTRAINT "answered_keys_hold_id_fkey";
