-- Changes of a merchant's staff exclude changes of its cards' contacts, so that neither misses the other.
CREATE OR REPLACE FUNCTION staff_contacts_lock(merchant uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS
  $$SELECT hashtextextended('staff contacts ' || merchant::text, 0)$$;
