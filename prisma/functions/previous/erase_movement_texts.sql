-- Servers of the release before call it before they erase the customer: then there is nothing to do yet.
CREATE OR REPLACE FUNCTION erase_movement_texts(customer uuid) RETURNS void LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM movement_texts t USING movements m, customers c
  WHERE m.id = t.movement_id AND m.customer_id = customer AND c.id = customer AND c.status = 'erased'
    AND NOT (m.type = 'ADJUSTMENT' AND m.actor_type = 'card_holder')
$$;
