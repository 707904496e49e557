-- CreateEnum
CREATE TYPE "DeliveryState" AS ENUM ('pending', 'succeeded', 'failed');

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "merchant_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[] NOT NULL,
    "branch_id" UUID,
    "ordered" BOOLEAN NOT NULL DEFAULT true,
    "asymmetric" BOOLEAN NOT NULL DEFAULT false,
    "disabled_at" TIMESTAMPTZ(6),
    "failing_since" TIMESTAMPTZ(6),
    "succeeded_at" TIMESTAMPTZ(6),
    "third_mailed_at" TIMESTAMPTZ(6),
    "day_mailed_at" TIMESTAMPTZ(6),
    "after_tx" BIGINT NOT NULL,
    "after_subject" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    "after_seq" INTEGER NOT NULL DEFAULT -1,
    "claimed_by" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_url" CHECK (length("url") BETWEEN 1 AND 2000),
    CONSTRAINT "webhook_endpoints_events" CHECK (cardinality("events") > 0),
    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_secrets" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "endpoint_id" UUID NOT NULL,
    "secret" TEXT NOT NULL,
    "signing_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(6),

    CONSTRAINT "webhook_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "subject_id" UUID NOT NULL,
    "i_seq" INTEGER NOT NULL,
    "tx" BIGINT NOT NULL,
    "state" "DeliveryState" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failed_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "delivery_id" UUID NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "duration" INTEGER NOT NULL,
    "answer" TEXT NOT NULL DEFAULT '',
    "sent_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_endpoints_merchant_id_created_at_idx" ON "webhook_endpoints"("merchant_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_endpoints_branch_id_merchant_id_idx" ON "webhook_endpoints"("branch_id", "merchant_id");

-- CreateIndex
CREATE INDEX "webhook_secrets_endpoint_id_idx" ON "webhook_secrets"("endpoint_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_endpoint_id_id_idx" ON "webhook_deliveries"("endpoint_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_endpoint_id_event_id_key" ON "webhook_deliveries"("endpoint_id", "event_id");

-- CreateIndex
CREATE INDEX "webhook_attempts_delivery_id_idx" ON "webhook_attempts"("delivery_id");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_branch_id_merchant_id_fkey" FOREIGN KEY ("branch_id", "merchant_id") REFERENCES "branches"("id", "merchant_id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What a lane sends next, and what waits before it. Without the state `pending` these rows are history.
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" ("endpoint_id", "next_at") WHERE "state" = 'pending';
CREATE INDEX "webhook_deliveries_before" ON "webhook_deliveries" ("endpoint_id", "subject_id", "tx", "i_seq") WHERE "state" = 'pending';
