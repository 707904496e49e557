-- CreateTable
CREATE TABLE "merchant_days" (
    "merchant_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "customers" INTEGER NOT NULL,
    "points" BIGINT NOT NULL,

    CONSTRAINT "merchant_days_pkey" PRIMARY KEY ("merchant_id","day")
);

-- CreateIndex
CREATE INDEX "merchant_days_day_idx" ON "merchant_days"("day");

-- AddForeignKey
ALTER TABLE "merchant_days" ADD CONSTRAINT "merchant_days_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Counts come from these days and from those who are not active; nothing reads the index that counted everyone.
DROP INDEX "customers_counted";

-- A worker's movements are at one merchant and mostly one branch: without this the planner expects next to none of both.
CREATE STATISTICS "movements_belong" (dependencies) ON "merchant_id", "branch_id", "actor_id" FROM "movements";
