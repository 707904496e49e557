-- no-transaction: movements are found by bill number while postings go on.

-- Shops count their bills alike, so that a search of one by the number alone would read those of all. Who reads all
-- merchants asks each: its reader is lib/ledger/movement-search.
CREATE INDEX CONCURRENTLY "movements_merchant_sale_ref" ON "movements"
  ("merchant_id", lower("sale_ref") text_pattern_ops) WHERE "sale_ref" IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS "movements_sale_ref";
