ALTER TABLE "notices" ADD COLUMN "api_key_id" UUID;

-- CreateIndex
CREATE INDEX "notices_api_key_id_idx" ON "notices"("api_key_id");

-- AddForeignKey
ALTER TABLE "notices" ADD CONSTRAINT "notices_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE NO ACTION ON UPDATE NO ACTION NOT VALID;
