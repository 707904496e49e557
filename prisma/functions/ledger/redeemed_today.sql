-- What the customer redeemed without a confirmation on this day, in points.
CREATE OR REPLACE FUNCTION redeemed_today(card customers, moment timestamptz) RETURNS int LANGUAGE sql STABLE AS
  $$SELECT CASE WHEN card.unproved_on = qatar_day(moment) THEN card.unproved ELSE 0 END$$;
