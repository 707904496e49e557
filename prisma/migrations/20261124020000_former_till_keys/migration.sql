-- A till that is paired anew has another key. The one before is kept, so that what its browser kept without a connection
-- can still be received, for the owner's inbox alone.
CREATE TABLE "till_former_keys" (
    "thumbprint" TEXT NOT NULL,
    "till_id" UUID NOT NULL,
    "public_key" JSONB NOT NULL,
    "replaced_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "till_former_keys_pkey" PRIMARY KEY ("thumbprint"),
    CONSTRAINT "till_former_keys_till_id_fkey" FOREIGN KEY ("till_id") REFERENCES "tills"("id") ON DELETE RESTRICT ON UPDATE NO ACTION
);
CREATE INDEX "till_former_keys_till_id_idx" ON "till_former_keys"("till_id");
-- A key that was replaced stays replaced, since that day.
CREATE TRIGGER "till_former_keys_no_change" BEFORE UPDATE OR DELETE ON "till_former_keys" FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER "till_former_keys_no_truncate" BEFORE TRUNCATE ON "till_former_keys" EXECUTE FUNCTION append_only();

-- By which former key an entry was signed; null: by the till's key of that time. Each key counts its entries by itself, so
-- that a browser that is no till any more takes no number from the one that is.
ALTER TABLE "offline_entries" ADD COLUMN "former_key" TEXT,
  ADD CONSTRAINT "offline_entries_former_key_fkey" FOREIGN KEY ("former_key") REFERENCES "till_former_keys"("thumbprint") ON DELETE RESTRICT ON UPDATE NO ACTION;
DROP INDEX "offline_entries_till_id_n_key";
CREATE UNIQUE INDEX "offline_entries_till_id_n_key" ON "offline_entries"("till_id", "n") WHERE "former_key" IS NULL;
CREATE UNIQUE INDEX "offline_entries_former_key_n_key" ON "offline_entries"("former_key", "n") WHERE "former_key" IS NOT NULL;
