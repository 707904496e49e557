-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('super_admin', 'admin', 'merchant_owner', 'branch_worker');

-- CreateEnum
CREATE TYPE "UserStatus" AS ENUM ('active', 'invited', 'disabled');

-- CreateEnum
CREATE TYPE "MerchantStatus" AS ENUM ('pending', 'approved', 'rejected');

-- CreateEnum
CREATE TYPE "CustomerStatus" AS ENUM ('active', 'blocked', 'frozen', 'erased');

-- CreateEnum
CREATE TYPE "MovementType" AS ENUM ('TOP_UP', 'REDEEM', 'REVERSAL', 'ADJUSTMENT', 'IMPORT');

-- CreateEnum
CREATE TYPE "ProofKind" AS ENUM ('none', 'live_code', 'mailed_code');

-- CreateEnum
CREATE TYPE "CodePurpose" AS ENUM ('register', 'card_holder', 'redeem', 'unfreeze', 'erase', 'change_email');

-- CreateEnum
CREATE TYPE "EmailStatus" AS ENUM ('queued', 'sent', 'failed');

-- CreateEnum
CREATE TYPE "UploadCategory" AS ENUM ('image', 'document');

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "role" "Role" NOT NULL,
    "status" "UserStatus" NOT NULL DEFAULT 'active',
    "email" TEXT NOT NULL,
    "first_name" TEXT NOT NULL,
    "last_name" TEXT NOT NULL,
    "phone" TEXT,
    "password_hash" TEXT,
    "merchant_id" UUID,
    "branch_id" UUID,
    "locale" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "handle" UUID NOT NULL,
    "token_hash" TEXT,
    "user_agent" TEXT,
    "address" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "password_tokens" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "user_id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "password_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merchants" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "business_name" TEXT NOT NULL,
    "first_name" TEXT NOT NULL,
    "last_name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "phone" TEXT NOT NULL,
    "image_key" TEXT,
    "status" "MerchantStatus" NOT NULL DEFAULT 'pending',
    "status_reason" TEXT,
    "decided_at" TIMESTAMPTZ(6),
    "decided_by_id" UUID,
    "redeem_allowance" INTEGER NOT NULL DEFAULT 50,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "branches" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "merchant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "city" TEXT NOT NULL,
    "archived_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "branches_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "customers" (
    "id" UUID NOT NULL,
    "public_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "full_name" TEXT NOT NULL,
    "email" TEXT,
    "phone" TEXT,
    "date_of_birth" DATE,
    "locale" TEXT NOT NULL DEFAULT 'en',
    "status" "CustomerStatus" NOT NULL DEFAULT 'active',
    "balance" INTEGER NOT NULL DEFAULT 0,
    "movement_count" INTEGER NOT NULL DEFAULT 0,
    "consent_at" TIMESTAMPTZ(6),
    "registered_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "erased_at" TIMESTAMPTZ(6),

    CONSTRAINT "customers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "movements" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "customer_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "branch_id" UUID NOT NULL,
    "actor_id" UUID NOT NULL,
    "type" "MovementType" NOT NULL,
    "points" INTEGER NOT NULL,
    "balance_after" INTEGER NOT NULL,
    "rate" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "reverses_id" UUID,
    "reason" TEXT,
    "proof" "ProofKind" NOT NULL DEFAULT 'none',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "movements_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "proof_uses" (
    "customer_id" UUID NOT NULL,
    "reference" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "proof_uses_pkey" PRIMARY KEY ("customer_id","reference")
);

-- CreateTable
CREATE TABLE "points_configs" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "merchant_id" UUID,
    "version" INTEGER NOT NULL,
    "dirhams_per_point" INTEGER NOT NULL,
    "min_top_up" INTEGER NOT NULL,
    "max_top_up" INTEGER NOT NULL,
    "max_balance" INTEGER NOT NULL,
    "undo_minutes" INTEGER NOT NULL,
    "worker_daily_cap" INTEGER,
    "withdrawn" BOOLEAN NOT NULL DEFAULT false,
    "changed_by_id" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "points_configs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "daily_sums" (
    "day" DATE NOT NULL,
    "merchant_id" UUID NOT NULL,
    "branch_id" UUID NOT NULL,
    "type" "MovementType" NOT NULL,
    "movements" INTEGER NOT NULL,
    "points" BIGINT NOT NULL,

    CONSTRAINT "daily_sums_pkey" PRIMARY KEY ("merchant_id","day","branch_id","type")
);

-- CreateTable
CREATE TABLE "codes" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "purpose" "CodePurpose" NOT NULL,
    "email" TEXT NOT NULL,
    "customer_id" UUID,
    "code_hash" TEXT NOT NULL,
    "wrong" INTEGER NOT NULL DEFAULT 0,
    "address" TEXT,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verifications" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "purpose" "CodePurpose" NOT NULL,
    "email" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "address" TEXT,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "verifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "card_holders" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "customer_id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "card_holders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "emails" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "status" "EmailStatus" NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "next_try_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "emails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "uploads" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "key" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "category" "UploadCategory" NOT NULL,
    "size" INTEGER,
    "address" TEXT,
    "uploader_id" UUID,
    "merchant_id" UUID,
    "attached_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audits" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "actor_id" UUID,
    "merchant_id" UUID,
    "action" TEXT NOT NULL,
    "entity" TEXT NOT NULL,
    "entity_id" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audits_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "passes" (
    "customer_id" UUID NOT NULL,
    "serial" UUID NOT NULL,
    "auth_token" TEXT NOT NULL,
    "google_saved" BOOLEAN NOT NULL DEFAULT false,
    "voided_at" TIMESTAMPTZ(6),
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "passes_pkey" PRIMARY KEY ("customer_id")
);

-- CreateTable
CREATE TABLE "pass_registrations" (
    "device_id" TEXT NOT NULL,
    "serial" UUID NOT NULL,
    "push_token" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pass_registrations_pkey" PRIMARY KEY ("device_id","serial")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" TIMESTAMPTZ(6),

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "users_merchant_id_role_created_at_idx" ON "users"("merchant_id", "role", "created_at");

-- CreateIndex
CREATE INDEX "users_branch_id_idx" ON "users"("branch_id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_handle_key" ON "sessions"("handle");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_hash_key" ON "sessions"("token_hash");

-- CreateIndex
CREATE INDEX "sessions_user_id_revoked_at_expires_at_idx" ON "sessions"("user_id", "revoked_at", "expires_at");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "password_tokens_token_hash_key" ON "password_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "password_tokens_user_id_idx" ON "password_tokens"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "merchants_email_key" ON "merchants"("email");

-- CreateIndex
CREATE INDEX "merchants_status_created_at_idx" ON "merchants"("status", "created_at");

-- CreateIndex
CREATE INDEX "merchants_decided_by_id_idx" ON "merchants"("decided_by_id");

-- CreateIndex
CREATE INDEX "branches_merchant_id_created_at_idx" ON "branches"("merchant_id", "created_at");

-- CreateIndex
CREATE INDEX "branches_created_at_idx" ON "branches"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "branches_id_merchant_id_key" ON "branches"("id", "merchant_id");

-- CreateIndex
CREATE UNIQUE INDEX "customers_public_id_key" ON "customers"("public_id");

-- CreateIndex
CREATE INDEX "customers_merchant_id_registered_at_id_idx" ON "customers"("merchant_id", "registered_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "customers_registered_at_id_idx" ON "customers"("registered_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "customers_email_idx" ON "customers"("email");

-- CreateIndex
CREATE UNIQUE INDEX "customers_merchant_id_email_key" ON "customers"("merchant_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "customers_id_merchant_id_key" ON "customers"("id", "merchant_id");

-- CreateIndex
CREATE UNIQUE INDEX "movements_reverses_id_key" ON "movements"("reverses_id");

-- CreateIndex
CREATE INDEX "movements_merchant_id_created_at_id_idx" ON "movements"("merchant_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "movements_branch_id_created_at_id_idx" ON "movements"("branch_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "movements_actor_id_created_at_id_idx" ON "movements"("actor_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "movements_customer_id_created_at_id_idx" ON "movements"("customer_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "movements_created_at_id_idx" ON "movements"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "movements_merchant_id_type_created_at_id_idx" ON "movements"("merchant_id", "type", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "movements_type_created_at_id_idx" ON "movements"("type", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "movements_actor_id_idempotency_key_key" ON "movements"("actor_id", "idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "movements_customer_id_seq_key" ON "movements"("customer_id", "seq");

-- CreateIndex
CREATE INDEX "proof_uses_used_at_idx" ON "proof_uses"("used_at");

-- CreateIndex
CREATE INDEX "points_configs_changed_by_id_idx" ON "points_configs"("changed_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "points_configs_merchant_id_version_key" ON "points_configs"("merchant_id", "version");

-- CreateIndex
CREATE INDEX "daily_sums_day_idx" ON "daily_sums"("day");

-- CreateIndex
CREATE INDEX "daily_sums_branch_id_idx" ON "daily_sums"("branch_id");

-- CreateIndex
CREATE INDEX "codes_email_purpose_created_at_idx" ON "codes"("email", "purpose", "created_at" DESC);

-- CreateIndex
CREATE INDEX "codes_customer_id_idx" ON "codes"("customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "verifications_token_hash_key" ON "verifications"("token_hash");

-- CreateIndex
CREATE INDEX "verifications_email_purpose_created_at_idx" ON "verifications"("email", "purpose", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "card_holders_token_hash_key" ON "card_holders"("token_hash");

-- CreateIndex
CREATE INDEX "card_holders_customer_id_idx" ON "card_holders"("customer_id");

-- CreateIndex
CREATE INDEX "emails_status_next_try_at_idx" ON "emails"("status", "next_try_at");

-- CreateIndex
CREATE UNIQUE INDEX "uploads_key_key" ON "uploads"("key");

-- CreateIndex
CREATE INDEX "uploads_attached_at_created_at_idx" ON "uploads"("attached_at", "created_at");

-- CreateIndex
CREATE INDEX "uploads_merchant_id_idx" ON "uploads"("merchant_id");

-- CreateIndex
CREATE INDEX "uploads_uploader_id_idx" ON "uploads"("uploader_id");

-- CreateIndex
CREATE INDEX "audits_entity_entity_id_created_at_idx" ON "audits"("entity", "entity_id", "created_at");

-- CreateIndex
CREATE INDEX "audits_actor_id_idx" ON "audits"("actor_id");

-- CreateIndex
CREATE INDEX "audits_merchant_id_created_at_idx" ON "audits"("merchant_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "passes_serial_key" ON "passes"("serial");

-- CreateIndex
CREATE INDEX "passes_changed_at_idx" ON "passes"("changed_at");

-- CreateIndex
CREATE INDEX "pass_registrations_serial_idx" ON "pass_registrations"("serial");

-- CreateIndex
CREATE INDEX "pass_registrations_push_token_idx" ON "pass_registrations"("push_token");

-- CreateIndex
CREATE INDEX "rate_limits_expire_idx" ON "rate_limits"("expire");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_branch_id_fkey" FOREIGN KEY ("branch_id") REFERENCES "branches"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_tokens" ADD CONSTRAINT "password_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_decided_by_id_fkey" FOREIGN KEY ("decided_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "branches" ADD CONSTRAINT "branches_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customers" ADD CONSTRAINT "customers_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "movements" ADD CONSTRAINT "movements_customer_id_merchant_id_fkey" FOREIGN KEY ("customer_id", "merchant_id") REFERENCES "customers"("id", "merchant_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "movements" ADD CONSTRAINT "movements_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "movements" ADD CONSTRAINT "movements_branch_id_merchant_id_fkey" FOREIGN KEY ("branch_id", "merchant_id") REFERENCES "branches"("id", "merchant_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "movements" ADD CONSTRAINT "movements_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "movements" ADD CONSTRAINT "movements_reverses_id_fkey" FOREIGN KEY ("reverses_id") REFERENCES "movements"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "proof_uses" ADD CONSTRAINT "proof_uses_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "points_configs" ADD CONSTRAINT "points_configs_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "points_configs" ADD CONSTRAINT "points_configs_changed_by_id_fkey" FOREIGN KEY ("changed_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "daily_sums" ADD CONSTRAINT "daily_sums_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "daily_sums" ADD CONSTRAINT "daily_sums_branch_id_fkey" FOREIGN KEY ("branch_id") REFERENCES "branches"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "codes" ADD CONSTRAINT "codes_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_holders" ADD CONSTRAINT "card_holders_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_uploader_id_fkey" FOREIGN KEY ("uploader_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audits" ADD CONSTRAINT "audits_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passes" ADD CONSTRAINT "passes_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pass_registrations" ADD CONSTRAINT "pass_registrations_serial_fkey" FOREIGN KEY ("serial") REFERENCES "passes"("serial") ON DELETE CASCADE ON UPDATE CASCADE;
