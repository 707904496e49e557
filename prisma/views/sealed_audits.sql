-- What of each entry is sealed, as SHA-256 of the row in Postgres's own notation; its values by their salted hashes.
CREATE OR REPLACE VIEW "sealed_audits" AS
SELECT a.id, a.tx, sha256(convert_to(ROW(
    a.id, a.actor_type, a.actor_id, a.api_key_id, a.customer_id, a.job, a.merchant_id, a.action, a.entity, a.entity_id,
    encode(a.details_hash, 'hex'), encode(a.place_hash, 'hex'), a.once, a.tx, extract(epoch FROM a.created_at)
  )::text, 'UTF8')) AS digest
FROM audits a;
