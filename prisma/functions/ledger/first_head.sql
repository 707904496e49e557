-- The head before the first link of a chain.
CREATE OR REPLACE FUNCTION first_head() RETURNS bytea LANGUAGE sql IMMUTABLE AS $$ SELECT decode(repeat('00', 32), 'hex') $$;
