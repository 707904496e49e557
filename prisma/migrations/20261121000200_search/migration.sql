-- Search by any three letters, for one merchant and for all. The generated column and its indexes stand only here:
-- the Prisma schema does not name them, and `migration:new` compares Prisma schemas, so it leaves them alone.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

ALTER TABLE "customers" ADD COLUMN "search_text" text NOT NULL GENERATED ALWAYS AS (
  lower("full_name") || ' ' || coalesce("email", '') || ' ' || coalesce("phone", '') || ' ' || "public_id"::text
) STORED;

-- Changed rows go straight into the index: a long pending list would slow every search.
CREATE INDEX "customers_merchant_search" ON "customers"
  USING gin ("merchant_id", "search_text" gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX "customers_search" ON "customers" USING gin ("search_text" gin_trgm_ops) WITH (fastupdate = off);
