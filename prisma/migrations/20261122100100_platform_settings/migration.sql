-- The settings of the platform: one row, which only a super_admin changes.
CREATE TABLE "platform_settings" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "single" BOOLEAN NOT NULL DEFAULT true,
    "redeem_allowance_ceiling" INTEGER NOT NULL DEFAULT 200,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "platform_settings_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "platform_settings_single" CHECK ("single"),
    CONSTRAINT "platform_settings_ceiling" CHECK ("redeem_allowance_ceiling" BETWEEN 0 AND 1000000000)
);
CREATE UNIQUE INDEX "platform_settings_single_key" ON "platform_settings"("single");
INSERT INTO "platform_settings" DEFAULT VALUES;

-- 500 dirhams, as specified. Nobody could set it before.
ALTER TABLE "merchants" ALTER COLUMN "drawer_tolerance" SET DEFAULT 500;
UPDATE "merchants" SET "drawer_tolerance" = 500 WHERE "drawer_tolerance" = 0;
