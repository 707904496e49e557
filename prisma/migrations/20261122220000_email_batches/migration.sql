-- The batch in which a provider got an e-mail whose answer never arrived: the same e-mails are sent again as the same
-- batch, so that the provider recognises it by its idempotency key.
ALTER TABLE "emails" ADD COLUMN "batch" UUID;
