-- no-transaction: cards are found by folded text while postings go on. No statement holds a lock on more than 2,000 rows.
-- The version before this one still finds cards afterwards, but for the letters that are folded.

-- A text as searches compare it: lower case, digits 0-9, one letter for the forms of alef, yeh, kaf and heh, without
-- diacritics and tatweel, and one space for hyphens and spaces. normalize() splits a letter from its hamza or accent.
CREATE OR REPLACE FUNCTION search_fold(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT regexp_replace(translate(
    regexp_replace(normalize(lower(given), NFKD),
      '[\u0300-\u036f\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200b-\u200f\u2066-\u2069]', '', 'g'),
    'ٱىیېةہھەک٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'ايييههههك01234567890123456789'),
    '[\s\u00ad\u2010-\u2015\u2212-]+', ' ', 'g')
$$;

-- The LIKE pattern of a search for this text anywhere; % and _ stand for themselves. Null, which matches nothing, where
-- nothing is left to search for.
CREATE OR REPLACE FUNCTION search_pattern(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT '%' || regexp_replace(nullif(btrim(search_fold(given)), ''), '([\\%_])', '\\\1', 'g') || '%'
$$;

-- A column that a trigger fills: a generated one would be computed again with every posting, since the table has other
-- triggers.
ALTER TABLE "customers" ADD COLUMN IF NOT EXISTS "search_folded" text NOT NULL DEFAULT '';

CREATE OR REPLACE FUNCTION fold_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_folded := search_fold(concat_ws(' ', NEW.full_name, NEW.email, NEW.phone, NEW.public_id));
  RETURN NEW;
END $$;
-- After customers_contacts, which may write the phone.
CREATE OR REPLACE TRIGGER "customers_search_folded"
  BEFORE INSERT OR UPDATE OF "full_name", "email", "phone", "public_id" ON "customers"
  FOR EACH ROW EXECUTE FUNCTION fold_customer();

-- The rows there are, 2,000 in a transaction.
DO $$
DECLARE
  following uuid := '00000000-0000-0000-0000-000000000000';
  last_of uuid;
BEGIN
  LOOP
    SELECT b.id INTO last_of FROM (
      SELECT c.id FROM customers c WHERE c.id > following ORDER BY c.id LIMIT 2000
    ) b ORDER BY b.id DESC LIMIT 1;
    EXIT WHEN last_of IS NULL;
    UPDATE customers c
    SET search_folded = search_fold(concat_ws(' ', c.full_name, c.email, c.phone, c.public_id))
    WHERE c.id > following AND c.id <= last_of AND c.search_folded = '';
    COMMIT;
    following := last_of;
  END LOOP;
END $$;

-- Changed rows go straight into the index: a long pending list would slow every search.
CREATE INDEX CONCURRENTLY "customers_merchant_folded" ON "customers"
  USING gin ("merchant_id", "search_folded" gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX CONCURRENTLY "customers_folded" ON "customers" USING gin ("search_folded" gin_trgm_ops) WITH (fastupdate = off);

-- The new column takes the old one's name, with its indexes, in one step.
DO $$
BEGIN
  ALTER TABLE customers DROP COLUMN search_text;
  ALTER TABLE customers RENAME COLUMN search_folded TO search_text;
  ALTER INDEX customers_merchant_folded RENAME TO customers_merchant_search;
  ALTER INDEX customers_folded RENAME TO customers_search;
  CREATE OR REPLACE FUNCTION fold_customer() RETURNS trigger LANGUAGE plpgsql AS $fold$
  BEGIN
    NEW.search_text := search_fold(concat_ws(' ', NEW.full_name, NEW.email, NEW.phone, NEW.public_id));
    RETURN NEW;
  END $fold$;
END $$;
