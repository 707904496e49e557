-- Whoever changes a configuration holds the other side of this lock until commit (see lockPostings).
CREATE OR REPLACE FUNCTION posting_lock() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 7203114401::bigint';
