-- The bonus of a card that open holds reserve.
CREATE OR REPLACE FUNCTION held_of_lots(customer uuid) RETURNS int LANGUAGE sql STABLE AS
  'SELECT coalesce(sum(l.held), 0)::int FROM lots l WHERE l.customer_id = customer AND l.remaining > 0';
