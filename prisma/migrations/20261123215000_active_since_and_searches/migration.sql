ALTER TABLE "users" ADD COLUMN "active_since" TIMESTAMPTZ(6);
-- Nothing says when an account of before became active.
UPDATE "users" SET "active_since" = "created_at" WHERE "status" = 'active';

-- Warnings to owners about a card hold its customer's name. They belong to the customer from now on, and those about a card
-- that was deleted go.
CREATE TEMPORARY TABLE "warnings" ON COMMIT DROP AS
  SELECT e.id, c.id AS customer_id, c.status = 'erased' AS erased
  FROM "emails" e JOIN "customers" c
    ON c.id = substring(e.text from '/merchant/customers/([0-9a-f]{8}-[0-9a-f-]{27})')::uuid
  WHERE e.customer_id IS NULL;
DELETE FROM "emails" e USING "warnings" w WHERE e.id = w.id AND w.erased;
UPDATE "emails" e SET "customer_id" = w.customer_id FROM "warnings" w WHERE e.id = w.id AND NOT w.erased;

-- The text of a search is a customer's name, and nobody knows whose. The entries and their hashes stay.
DO $$
DECLARE
  erased int;
BEGIN
  DELETE FROM audit_texts t USING audits a
  WHERE a.id = t.audit_id AND a.kind = 'export' AND t.part = 'details' AND t.content->'after' ? 'search';
  GET DIAGNOSTICS erased = ROW_COUNT;
  -- Only where there was one: a new database has no functions yet.
  IF erased > 0 THEN
    PERFORM write_audit(jsonb_build_object('actorType', 'system', 'job', 'migrate', 'action', 'audit.searches_erased',
      'entity', 'platform', 'after', jsonb_build_object('entries', erased)));
  END IF;
END $$;
