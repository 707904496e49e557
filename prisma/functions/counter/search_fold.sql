-- A text as searches compare it: lower case, digits 0-9, one letter for the forms of alef, yeh, kaf and heh, without
-- diacritics and tatweel, and one space for hyphens and spaces. normalize() splits a letter from its hamza or accent.
CREATE OR REPLACE FUNCTION search_fold(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT regexp_replace(translate(
    regexp_replace(normalize(lower(given), NFKD),
      '[\u0300-\u036f\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200b-\u200f\u2066-\u2069]', '', 'g'),
    'ٱىیېةہھەک٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'ايييههههك01234567890123456789'),
    '[\s\u00ad\u2010-\u2015\u2212-]+', ' ', 'g')
$$;
