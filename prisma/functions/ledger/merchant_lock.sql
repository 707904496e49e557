-- The lock that postings of a merchant share, and that a deletion of the merchant's branch or employee holds alone.
CREATE OR REPLACE FUNCTION merchant_lock(merchant uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS
  $$SELECT 7204000000 + (hashtextextended(merchant::text, 0) & 65535)$$;
