-- Links that were mailed to a card's address, for a holder without their card. Each opens it once; only the hash of its
-- secret is kept.
CREATE TABLE "card_links" (
  "token_hash" TEXT NOT NULL,
  "customer_id" UUID NOT NULL,
  -- The address it was mailed to: of no use once the card has another.
  "email" TEXT NOT NULL,
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "card_links_pkey" PRIMARY KEY ("token_hash"),
  CONSTRAINT "card_links_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "card_links_customer_id_idx" ON "card_links" ("customer_id");
-- For the sweep.
CREATE INDEX "card_links_expires_at_idx" ON "card_links" ("expires_at");
