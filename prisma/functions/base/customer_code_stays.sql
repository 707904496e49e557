-- Paper, passes and e-mails carry a card's code: it never changes once it is given.
CREATE OR REPLACE FUNCTION customer_code_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a card keeps its code';
END $$;
