-- The staff's lists of customers. None of these columns changes when a balance does, so postings stay cheap.

-- Counting a merchant's customers, and all, without reading them.
CREATE INDEX "customers_counted" ON "customers" ("merchant_id") WHERE "status" <> 'erased';

-- Those few that are blocked, frozen or erased, newest first.
CREATE INDEX "customers_by_status" ON "customers" ("status", "registered_at" DESC, "id" DESC)
  WHERE "status" <> 'active';
CREATE INDEX "customers_merchant_by_status" ON "customers" ("merchant_id", "status", "registered_at" DESC, "id" DESC)
  WHERE "status" <> 'active';
