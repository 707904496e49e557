-- The id of a merchant in its sign-up link. Unlike the primary key, it does not reveal when the merchant signed up.
ALTER TABLE "merchants" ADD COLUMN "public_id" UUID NOT NULL DEFAULT gen_random_uuid();
CREATE UNIQUE INDEX "merchants_public_id_key" ON "merchants"("public_id");
