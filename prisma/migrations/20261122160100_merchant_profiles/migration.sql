-- Name and image of an approved merchant wait for an administrator, and e-mails for a proved mailbox.

-- Everybody who is there already counts as proved; from now on a sign-up writes null.
ALTER TABLE "users" ADD COLUMN "email_proved_at" TIMESTAMPTZ(6) DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE "merchants" ADD COLUMN "profile_version" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "profile_changes" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "business_name" TEXT,
    "new_image" BOOLEAN NOT NULL,
    "image_key" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "profile_changes_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "profile_changes_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "profile_changes_something" CHECK ("business_name" IS NOT NULL OR "new_image"),
    CONSTRAINT "profile_changes_image" CHECK ("new_image" OR "image_key" IS NULL)
);
CREATE UNIQUE INDEX "profile_changes_merchant_id_key" ON "profile_changes"("merchant_id");
