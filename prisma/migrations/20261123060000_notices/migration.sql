-- What an owner, or the administrators, should look at. A notice names its records; texts are made when it is read.
CREATE TABLE "notices" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    -- Whose owners read it; null: the administrators.
    "merchant_id" UUID,
    "kind" TEXT NOT NULL,
    -- The member of staff who caused it: it is not shown to them.
    "user_id" UUID,
    "customer_id" UUID,
    "till_id" UUID,
    -- The merchant that a notice of the administrators is about.
    "about_id" UUID,
    -- The transaction or the shift.
    "record_id" UUID,
    -- Points, dirhams or a count, by the kind.
    "amount" BIGINT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "notices_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "notices_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "notices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "notices_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "notices_till_id_fkey" FOREIGN KEY ("till_id") REFERENCES "tills"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "notices_about_id_fkey" FOREIGN KEY ("about_id") REFERENCES "merchants"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "notices_merchant_id_created_at_id_idx" ON "notices"("merchant_id", "created_at" DESC, "id" DESC);
CREATE INDEX "notices_user_id_idx" ON "notices"("user_id");
CREATE INDEX "notices_customer_id_idx" ON "notices"("customer_id");
CREATE INDEX "notices_till_id_idx" ON "notices"("till_id");
CREATE INDEX "notices_about_id_idx" ON "notices"("about_id");
-- For the sweep.
CREATE INDEX "notices_created_at_idx" ON "notices"("created_at");
-- A record is told once.
CREATE UNIQUE INDEX "notices_kind_record_id_key" ON "notices"("kind", "record_id");

-- Up to which moment a user has seen the notices.
CREATE TABLE "notice_views" (
    "user_id" UUID NOT NULL,
    "seen_to" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "notice_views_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "notice_views_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
