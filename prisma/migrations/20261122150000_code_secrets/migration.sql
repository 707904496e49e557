-- An e-mail with a code or a short-lived link is neither sent nor kept after the secret expired.
ALTER TABLE "emails" ADD COLUMN "expires_at" TIMESTAMPTZ(6);
CREATE INDEX "emails_expires_at_idx" ON "emails" ("expires_at") WHERE "status" = 'queued' AND "expires_at" IS NOT NULL;

-- Earlier versions wrote the code into the subject, and kept the text of e-mails that failed.
UPDATE "emails" SET "subject" = regexp_replace("subject", '\d{6}', '······') WHERE "subject" ~ '(^|\D)\d{6}(\D|$)';
UPDATE "emails" SET "text" = '', "html" = '' WHERE "status" IN ('sent', 'failed') AND ("text" <> '' OR "html" <> '');

-- The known device that asked for a code: strangers neither replace its codes nor guess at them.
ALTER TABLE "codes" ADD COLUMN "device_id" TEXT;
