-- Lists of all merchants run by when they came.
CREATE INDEX "merchants_created_at_idx" ON "merchants"("created_at");

-- Search by any three letters. These stand only here: the Prisma schema does not name them.
CREATE INDEX "merchants_search" ON "merchants" USING gin (
  "business_name" gin_trgm_ops, "first_name" gin_trgm_ops, "last_name" gin_trgm_ops,
  "email" gin_trgm_ops, "phone" gin_trgm_ops
);
CREATE INDEX "branches_search" ON "branches" USING gin ("name" gin_trgm_ops, "city" gin_trgm_ops);
CREATE INDEX "users_search" ON "users" USING gin (
  "first_name" gin_trgm_ops, "last_name" gin_trgm_ops, "email" gin_trgm_ops, "phone" gin_trgm_ops
);
