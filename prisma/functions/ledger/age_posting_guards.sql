-- Forgets contacts 400 days after they were replaced, unmarks the cards that only they marked, and forgets what workers
-- and API keys did on days whose limits no longer count.
CREATE OR REPLACE FUNCTION age_posting_guards() RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  merchant uuid;
BEGIN
  FOR merchant IN
    SELECT DISTINCT s.merchant_id FROM staff_contacts s WHERE s.replaced_at < now() - interval '400 days' ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock(staff_contacts_lock(merchant));
    DELETE FROM staff_contacts s WHERE s.merchant_id = merchant AND s.replaced_at < now() - interval '400 days';
    UPDATE customers c SET held_by_staff = false
    WHERE c.merchant_id = merchant AND c.held_by_staff AND NOT is_staff_contact(merchant, c.email, c.phone);
  END LOOP;
  DELETE FROM worker_days w WHERE w.day < current_date - 3;
  DELETE FROM api_key_days d WHERE d.day < current_date - 3;
END $$;
