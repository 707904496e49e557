-- no-transaction
-- A session ends when its time is over or when it is revoked: the sweep looks for the earlier of the two.
CREATE INDEX CONCURRENTLY "sessions_ended_idx" ON "sessions" (least("expires_at", "revoked_at"));
DROP INDEX CONCURRENTLY IF EXISTS "sessions_expires_at_idx";
