-- A customer's free texts go when the customer is erased, and only then; the movements keep their hashes. The fixed reason
-- of what the card's holder gave up stays: it holds nothing personal.
CREATE OR REPLACE FUNCTION erase_customer_texts() RETURNS trigger LANGUAGE plpgsql SET wallet.posting = 'post'
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM movement_texts t USING movements m
  WHERE m.id = t.movement_id AND m.customer_id = NEW.id AND NOT (m.type = 'ADJUSTMENT' AND m.actor_type = 'card_holder');
  UPDATE offline_entries SET reason = '–'
  WHERE merchant_id = NEW.merchant_id AND reason IS NOT NULL AND (customer_id IN (NEW.id, NEW.public_id)
    OR EXISTS (SELECT FROM movements m WHERE m.id = movement_id AND m.customer_id = NEW.id));
  UPDATE holds SET note = NULL WHERE customer_id = NEW.id AND note IS NOT NULL;
  RETURN NULL;
END $$;
