-- Keeps the folded text that searches compare. A generated column would be computed with every posting.
CREATE OR REPLACE FUNCTION fold_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := search_fold(concat_ws(' ', NEW.full_name, NEW.email, NEW.phone, NEW.public_id));
  RETURN NEW;
END $$;
