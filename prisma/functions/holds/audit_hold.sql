-- Writes down what happened to a hold: by a user, an API key, or by itself.
CREATE OR REPLACE FUNCTION audit_hold(h holds, action text, actor uuid, api_key uuid) RETURNS void LANGUAGE sql AS $$
  SELECT write_audit(jsonb_strip_nulls(jsonb_build_object(
    'actorType', CASE WHEN actor IS NOT NULL THEN 'user' WHEN api_key IS NOT NULL THEN 'api_key' ELSE 'system' END,
    'actorId', actor, 'apiKeyId', api_key, 'job', CASE WHEN actor IS NULL AND api_key IS NULL THEN 'lapse_holds' END,
    'merchantId', h.merchant_id, 'action', action, 'entity', 'customer', 'entityId', h.customer_id,
    'after', jsonb_build_object('hold', h.id, 'points', h.points - h.captured))))
$$;
