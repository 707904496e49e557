-- Takes the values off the entries about an erased customer, and from where the customer acted. The entries stay.
CREATE OR REPLACE FUNCTION erase_audit_texts(customer uuid) RETURNS void LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM audit_texts t USING audits a
  WHERE t.audit_id = a.id AND EXISTS (SELECT FROM customers c WHERE c.id = customer AND c.status = 'erased')
    AND ((a.entity_id = customer::text AND a.entity = 'customer' AND t.part = 'details') OR a.customer_id = customer)
$$;
