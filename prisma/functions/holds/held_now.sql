-- How much of a card open holds reserve at a moment, whether or not anything has ended those whose time is over.
CREATE OR REPLACE FUNCTION held_now(card customers, moment timestamptz) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN card.held = 0 THEN 0 ELSE card.held - coalesce((
    SELECT sum(h.points - h.captured) FROM lapsed_holds(card.id, moment) h), 0)::int END
$$;
