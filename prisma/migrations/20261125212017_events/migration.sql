-- AlterTable
ALTER TABLE "customers" ADD COLUMN     "event_count" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "merchant_id" UUID NOT NULL,
    "branch_id" UUID,
    "subject_id" UUID NOT NULL,
    "i_seq" INTEGER NOT NULL DEFAULT 0,
    "type" TEXT NOT NULL,
    "movement_id" UUID,
    "hold_id" UUID,
    "details" JSONB,
    "tx" BIGINT NOT NULL DEFAULT posting_tx(),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "events_merchant_id_tx_subject_id_i_seq_idx" ON "events"("merchant_id", "tx", "subject_id", "i_seq");
