-- What daily_sums counts a movement as: a reversal takes its points from what it reverses.
CREATE OR REPLACE FUNCTION summed_type(type "MovementType", reverses_type "MovementType") RETURNS "MovementType"
LANGUAGE sql IMMUTABLE AS $$ SELECT coalesce(reverses_type, type) $$;
