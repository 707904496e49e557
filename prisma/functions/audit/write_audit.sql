-- The only writer of the audit log. Answers the id of the entry.
CREATE OR REPLACE FUNCTION write_audit(given jsonb) RETURNS uuid LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  entry uuid := uuidv7();
  only_once uuid := md5(given->>'once')::uuid;
  details jsonb := nullif(
    CASE WHEN given ? 'before' THEN jsonb_build_object('before', given->'before') ELSE '{}'::jsonb END
      || CASE WHEN given ? 'after' THEN jsonb_build_object('after', given->'after') ELSE '{}'::jsonb END, '{}');
  place jsonb := nullif(jsonb_strip_nulls(jsonb_build_object('address', given->'address', 'device', given->'device')), '{}');
  details_salt bytea := uuid_send(gen_random_uuid());
  place_salt bytea := uuid_send(gen_random_uuid());
BEGIN
  -- Servers of yesterday still send the text of a search, which may be a customer's name.
  IF given->>'action' LIKE 'export.%' AND details->'after' ? 'search' THEN
    details := jsonb_build_object('after', ((details->'after') - 'search') || '{"searched": true}'::jsonb);
  END IF;
  -- A repeat costs a look into an index, and no transaction id.
  IF only_once IS NOT NULL AND EXISTS (SELECT FROM audits a WHERE a.once = only_once) THEN RETURN NULL; END IF;
  INSERT INTO audits (id, actor_type, actor_id, api_key_id, customer_id, job, merchant_id, action, entity, entity_id,
    details_hash, place_hash, once, created_at)
  VALUES (entry, (given->>'actorType')::"ActorType", (given->>'actorId')::uuid, (given->>'apiKeyId')::uuid,
    (given->>'customerId')::uuid, given->>'job', (given->>'merchantId')::uuid, given->>'action', given->>'entity',
    given->>'entityId', audit_text_hash(details_salt, details), audit_text_hash(place_salt, place), only_once, now())
  ON CONFLICT (once) DO NOTHING;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO audit_texts (audit_id, part, salt, content)
  SELECT entry, v.part, v.salt, v.content
  FROM (VALUES ('details', details_salt, details), ('place', place_salt, place)) v(part, salt, content)
  WHERE v.content IS NOT NULL;
  RETURN entry;
END $$;
