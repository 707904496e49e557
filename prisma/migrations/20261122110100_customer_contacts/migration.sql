-- no-transaction: cards are found by phone and by mark while postings go on.

-- Phones as they are compared.
UPDATE "users" SET "phone" = contact_phone("phone") WHERE "phone" !~ '^\+[0-9]{8,15}$';
UPDATE "customers" SET "phone" = contact_phone("phone") WHERE "phone" !~ '^\+[0-9]{8,15}$';

-- Cards that a new or changed member of staff holds.
DROP INDEX CONCURRENTLY IF EXISTS "customers_merchant_id_phone_idx";
CREATE INDEX CONCURRENTLY "customers_merchant_id_phone_idx" ON "customers" ("merchant_id", "phone");
-- Cards held by staff: the filter of the transaction log.
DROP INDEX CONCURRENTLY IF EXISTS "customers_held_by_staff";
CREATE INDEX CONCURRENTLY "customers_held_by_staff" ON "customers" ("merchant_id") WHERE "held_by_staff";

UPDATE "customers" c SET "held_by_staff" = true FROM "users" u
WHERE u."merchant_id" = c."merchant_id" AND NOT c."held_by_staff" AND u."email" = c."email";
UPDATE "customers" c SET "held_by_staff" = true FROM "users" u
WHERE u."merchant_id" = c."merchant_id" AND NOT c."held_by_staff" AND u."phone" = c."phone";
