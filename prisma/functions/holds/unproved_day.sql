-- The day in whose limits a hold without confirmation counts.
CREATE OR REPLACE FUNCTION unproved_day(hold uuid) RETURNS date LANGUAGE sql STABLE AS
  'SELECT h.unproved_on FROM holds h WHERE h.id = hold';
