-- A phone as +974XXXXXXXX or +<digits>, from any way of writing it; a text without a digit stays.
CREATE OR REPLACE FUNCTION contact_phone(given text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN n.digits = '' THEN given
    WHEN n.digits ~ '^(00)?974[0-9]{8}$' THEN '+974' || right(n.digits, 8)
    WHEN n.digits ~ '^[0-9]{8}$' THEN '+974' || n.digits
    ELSE '+' || regexp_replace(n.digits, '^00', '')
  END
  FROM (SELECT regexp_replace(translate(given, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'), '[^0-9]', '', 'g') AS digits) n
$$;
