-- Whether a card with these contacts is held by anybody of the merchant's staff: by a present contact, or by one that
-- was replaced.
CREATE OR REPLACE FUNCTION is_staff_contact(merchant uuid, own_email text, own_phone text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM users u WHERE u.merchant_id = merchant AND (u.email = own_email OR u.phone = own_phone)
  ) OR EXISTS (
    SELECT 1 FROM staff_contacts s WHERE s.merchant_id = merchant
      AND s.hash = sha256(s.salt || convert_to(CASE s.kind WHEN 'email' THEN own_email ELSE own_phone END, 'UTF8'))
  )
$$;
