-- no-transaction: shifts are opened and closed while the index is built.

-- An owner's home reads the open shifts and those that were closed in the last days.
DROP INDEX CONCURRENTLY IF EXISTS "shifts_merchant_id_closed_at_idx";
CREATE INDEX CONCURRENTLY "shifts_merchant_id_closed_at_idx" ON "shifts" ("merchant_id", "closed_at");
