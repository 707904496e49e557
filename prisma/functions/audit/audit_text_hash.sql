-- The hash that an audit entry keeps of its texts.
CREATE OR REPLACE FUNCTION audit_text_hash(salt bytea, content jsonb) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(salt || convert_to(content::text, 'UTF8'))
$$;
