-- Runs of the ledger's verification, the newest of each merchant is shown.
CREATE TYPE "CheckState" AS ENUM ('running', 'done');
CREATE TABLE "ledger_checks" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "merchant_id" UUID NOT NULL,
    "state" "CheckState" NOT NULL DEFAULT 'running',
    -- Null: running, or ended without a verdict.
    "ok" BOOLEAN,
    -- How many movements there were at the start, and how many are checked.
    "total" BIGINT NOT NULL DEFAULT 0,
    "movements" BIGINT NOT NULL DEFAULT 0,
    "sealed_to" TIMESTAMPTZ(6),
    "head" BYTEA,
    -- What was wrong, and where: {what, movementId, customerId, day}.
    "first_wrong" JSONB,
    "requested_by_id" UUID,
    "started_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    -- When it last made progress: a run whose server died is given up.
    "alive_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "ledger_checks_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "ledger_checks_state" CHECK (("state" = 'done') = ("finished_at" IS NOT NULL)),
    CONSTRAINT "ledger_checks_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id"),
    CONSTRAINT "ledger_checks_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "users"("id")
);
-- One at a time a merchant.
CREATE UNIQUE INDEX "ledger_checks_running" ON "ledger_checks" ("merchant_id") WHERE "state" = 'running';
-- Reader: the newest run of a merchant.
CREATE INDEX "ledger_checks_merchant_id_started_at_idx" ON "ledger_checks" ("merchant_id", "started_at" DESC);
