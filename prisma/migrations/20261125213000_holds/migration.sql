-- CreateEnum
CREATE TYPE "HoldState" AS ENUM ('open', 'captured', 'voided', 'lapsed');

-- CreateTable
CREATE TABLE "holds" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "customer_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "branch_id" UUID NOT NULL,
    "actor_id" UUID,
    "api_key_id" UUID,
    "idempotency_key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "paid" INTEGER NOT NULL,
    "captured" INTEGER NOT NULL DEFAULT 0,
    "captured_paid" INTEGER NOT NULL DEFAULT 0,
    "state" "HoldState" NOT NULL DEFAULT 'open',
    "reason" TEXT,
    "note" TEXT,
    "sale_ref" TEXT,
    "proof" "ProofKind" NOT NULL DEFAULT 'none',
    "proof_ref" TEXT,
    "unproved_on" DATE,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "extended" BOOLEAN NOT NULL DEFAULT false,
    "closed_at" TIMESTAMPTZ(6),

    CONSTRAINT "holds_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "holds_actor" CHECK (("actor_id" IS NULL) <> ("api_key_id" IS NULL)),
    CONSTRAINT "holds_points" CHECK ("points" > 0 AND "paid" BETWEEN 0 AND "points"),
    CONSTRAINT "holds_captured" CHECK ("captured" BETWEEN 0 AND "points" AND "captured_paid" BETWEEN 0 AND "paid"
      AND "captured" - "captured_paid" BETWEEN 0 AND "points" - "paid"),
    CONSTRAINT "holds_closed" CHECK (("state" = 'open') = ("closed_at" IS NULL) AND ("state" <> 'open' OR "captured" < "points")),
    CONSTRAINT "holds_reason" CHECK ("reason" IS NULL OR ("state" = 'voided' AND "reason" IN ('taken_at_counter', 'lost_answer'))),
    CONSTRAINT "holds_sale_ref" CHECK (length("sale_ref") BETWEEN 1 AND 64),
    CONSTRAINT "holds_proof" CHECK (("proof" = 'none') = ("unproved_on" IS NOT NULL) AND ("proof_ref" IS NULL OR "proof" <> 'none'))
);

-- CreateTable
CREATE TABLE "hold_lots" (
    "hold_id" UUID NOT NULL,
    "lot_id" UUID NOT NULL,
    "points" INTEGER NOT NULL,
    "captured" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "hold_lots_pkey" PRIMARY KEY ("hold_id","lot_id"),
    CONSTRAINT "hold_lots_points" CHECK ("points" > 0 AND "captured" BETWEEN 0 AND "points")
);

-- CreateIndex
CREATE INDEX "holds_merchant_id_created_at_idx" ON "holds"("merchant_id", "created_at");
CREATE INDEX "holds_customer_id_created_at_idx" ON "holds"("customer_id", "created_at");
CREATE INDEX "holds_branch_id_created_at_idx" ON "holds"("branch_id", "created_at");
CREATE INDEX "holds_api_key_id_created_at_idx" ON "holds"("api_key_id", "created_at");
CREATE INDEX "holds_actor_id_created_at_idx" ON "holds"("actor_id", "created_at");
CREATE INDEX "holds_open_of_customer" ON "holds"("customer_id") WHERE "state" = 'open';
CREATE INDEX "holds_open_of_merchant" ON "holds"("merchant_id", "expires_at") WHERE "state" = 'open';
CREATE INDEX "holds_due" ON "holds"("expires_at") WHERE "state" = 'open';
CREATE INDEX "hold_lots_lot_id_idx" ON "hold_lots"("lot_id");

ALTER TABLE "lots" ADD COLUMN "movement_id" UUID;
ALTER TABLE "movements" ADD COLUMN "hold_id" UUID,
  ADD CONSTRAINT "movements_hold" CHECK ("hold_id" IS NULL OR "type" = 'REDEEM') NOT VALID;
ALTER TABLE "used_keys" ADD COLUMN "hold_id" UUID, DROP CONSTRAINT "used_keys_tombstone",
  ADD CONSTRAINT "used_keys_tombstone" CHECK (("movement_id" IS NULL AND "hold_id" IS NULL) = ("request_hash" IS NULL)) NOT VALID;
ALTER TABLE "answered_keys" ADD COLUMN "hold_id" UUID;

-- AddForeignKey
ALTER TABLE "holds" ADD CONSTRAINT "holds_customer_id_merchant_id_fkey" FOREIGN KEY ("customer_id", "merchant_id") REFERENCES "customers"("id", "merchant_id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "holds" ADD CONSTRAINT "holds_branch_id_merchant_id_fkey" FOREIGN KEY ("branch_id", "merchant_id") REFERENCES "branches"("id", "merchant_id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "holds" ADD CONSTRAINT "holds_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "users"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "holds" ADD CONSTRAINT "holds_api_key_id_merchant_id_fkey" FOREIGN KEY ("api_key_id", "merchant_id") REFERENCES "api_keys"("id", "merchant_id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "hold_lots" ADD CONSTRAINT "hold_lots_hold_id_fkey" FOREIGN KEY ("hold_id") REFERENCES "holds"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "hold_lots" ADD CONSTRAINT "hold_lots_lot_id_fkey" FOREIGN KEY ("lot_id") REFERENCES "lots"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "movements" ADD CONSTRAINT "movements_hold_id_fkey" FOREIGN KEY ("hold_id") REFERENCES "holds"("id") ON DELETE NO ACTION ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "used_keys" ADD CONSTRAINT "used_keys_hold_id_fkey" FOREIGN KEY ("hold_id") REFERENCES "holds"("id") ON DELETE NO ACTION ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "answered_keys" ADD CONSTRAINT "answered_keys_hold_id_fkey" FOREIGN KEY ("hold_id") REFERENCES "holds"("id") ON DELETE NO ACTION ON UPDATE NO ACTION NOT VALID;
