-- Whether the time of an open hold is over. While its merchant is suspended a hold counts as open if it was when that began.
CREATE OR REPLACE FUNCTION is_lapsed(expires_at timestamptz, suspended_at timestamptz, moment timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE AS 'SELECT expires_at <= moment AND (suspended_at IS NULL OR expires_at <= suspended_at)';
