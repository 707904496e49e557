-- Every address that a card has had, and the changes of an address that wait.
ALTER TYPE "CodePurpose" ADD VALUE 'leave_email';

CREATE TABLE "card_emails" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "customer_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "from_at" TIMESTAMPTZ(6) NOT NULL,
    "to_at" TIMESTAMPTZ(6),
    CONSTRAINT "card_emails_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "card_emails_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "card_emails_customer_id_from_at_idx" ON "card_emails"("customer_id", "from_at");

CREATE TABLE "email_changes" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "customer_id" UUID NOT NULL,
    "old_email" TEXT NOT NULL,
    "new_email" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "device_id" UUID,
    "reason" TEXT,
    "due_at" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "email_changes_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "email_changes_customer_id_fkey" FOREIGN KEY ("customer_id") REFERENCES "customers"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "email_changes_kind" CHECK ("kind" IN ('holder', 'restore', 'staff')),
    CONSTRAINT "email_changes_differs" CHECK ("new_email" <> "old_email")
);
CREATE UNIQUE INDEX "email_changes_customer_id_key" ON "email_changes"("customer_id");
CREATE INDEX "email_changes_due_at_idx" ON "email_changes"("due_at");

-- A trigger, so that servers of the previous version and imports keep the history, too.
CREATE FUNCTION keep_card_emails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO card_emails (customer_id, email, from_at) VALUES (NEW.id, NEW.email, NEW.registered_at);
  ELSIF NEW.email IS NULL THEN
    DELETE FROM card_emails WHERE customer_id = NEW.id;
    DELETE FROM email_changes WHERE customer_id = NEW.id;
  ELSE
    UPDATE card_emails SET to_at = now() WHERE customer_id = NEW.id AND to_at IS NULL;
    INSERT INTO card_emails (customer_id, email, from_at) VALUES (NEW.id, NEW.email, now());
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "customers_emails_added" AFTER INSERT ON "customers"
  FOR EACH ROW WHEN (NEW.email IS NOT NULL) EXECUTE FUNCTION keep_card_emails();
CREATE TRIGGER "customers_emails_changed" AFTER UPDATE OF "email" ON "customers"
  FOR EACH ROW WHEN (OLD.email IS DISTINCT FROM NEW.email) EXECUTE FUNCTION keep_card_emails();

INSERT INTO "card_emails" ("customer_id", "email", "from_at")
SELECT "id", "email", "registered_at" FROM "customers" WHERE "email" IS NOT NULL;
