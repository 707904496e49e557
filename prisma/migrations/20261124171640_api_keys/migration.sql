-- Null: a tombstone, for a request that was given up before it arrived.
ALTER TABLE "answered_keys" ALTER COLUMN "movement_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "merchant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[] NOT NULL,
    "branch_id" UUID,
    "addresses" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "max_points_one" INTEGER,
    "max_points_day" INTEGER,
    "max_hold_seconds" INTEGER,
    "staff_cards" BOOLEAN NOT NULL DEFAULT false,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "api_keys_name" CHECK (length("name") BETWEEN 1 AND 60),
    CONSTRAINT "api_keys_scopes" CHECK (cardinality("scopes") > 0 AND "scopes" <@ ARRAY['customers.find', 'customers.read',
      'topup', 'redeem', 'refund', 'bonus', 'movements.read', 'events.read', 'webhooks']),
    CONSTRAINT "api_keys_addresses" CHECK (cardinality("addresses") <= 20),
    CONSTRAINT "api_keys_limits" CHECK ("max_points_one" > 0 AND "max_points_day" > 0
      AND "max_hold_seconds" BETWEEN 30 AND 86400)
);

-- CreateTable
CREATE TABLE "api_key_secrets" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "api_key_id" UUID NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(6),

    CONSTRAINT "api_key_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key_uses" (
    "api_key_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(6) NOT NULL,
    "requests" INTEGER NOT NULL,

    CONSTRAINT "api_key_uses_pkey" PRIMARY KEY ("api_key_id","hour")
);

-- CreateTable
CREATE TABLE "api_key_days" (
    "api_key_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "added" INTEGER NOT NULL,

    CONSTRAINT "api_key_days_added" CHECK ("added" >= 0),
    CONSTRAINT "api_key_days_pkey" PRIMARY KEY ("api_key_id","day")
);

-- CreateTable
CREATE TABLE "used_keys" (
    "api_key_id" UUID NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "request_hash" TEXT,
    "movement_id" UUID,
    "used_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "used_keys_key" CHECK (length("idempotency_key") BETWEEN 1 AND 200),
    CONSTRAINT "used_keys_tombstone" CHECK (("movement_id" IS NULL) = ("request_hash" IS NULL)),
    CONSTRAINT "used_keys_pkey" PRIMARY KEY ("api_key_id","idempotency_key")
);

-- CreateIndex
CREATE INDEX "api_keys_merchant_id_created_at_idx" ON "api_keys"("merchant_id", "created_at");

-- CreateIndex
CREATE INDEX "api_keys_branch_id_merchant_id_idx" ON "api_keys"("branch_id", "merchant_id");

-- CreateIndex
CREATE INDEX "api_keys_created_by_idx" ON "api_keys"("created_by");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_id_merchant_id_key" ON "api_keys"("id", "merchant_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_secrets_hash_key" ON "api_key_secrets"("hash");

-- CreateIndex
CREATE INDEX "api_key_secrets_api_key_id_idx" ON "api_key_secrets"("api_key_id");

-- CreateIndex
CREATE INDEX "api_key_uses_hour_idx" ON "api_key_uses"("hour");

-- CreateIndex
CREATE INDEX "api_key_days_day_idx" ON "api_key_days"("day");

-- CreateIndex
CREATE INDEX "used_keys_movement_id_idx" ON "used_keys"("movement_id");

-- AddForeignKey
ALTER TABLE "movements" ADD CONSTRAINT "movements_api_key_id_merchant_id_fkey" FOREIGN KEY ("api_key_id", "merchant_id") REFERENCES "api_keys"("id", "merchant_id") ON DELETE NO ACTION ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_branch_id_merchant_id_fkey" FOREIGN KEY ("branch_id", "merchant_id") REFERENCES "branches"("id", "merchant_id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_key_secrets" ADD CONSTRAINT "api_key_secrets_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_key_uses" ADD CONSTRAINT "api_key_uses_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_key_days" ADD CONSTRAINT "api_key_days_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "used_keys" ADD CONSTRAINT "used_keys_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "used_keys" ADD CONSTRAINT "used_keys_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
