-- Whether a movement's money is cash. A reversal has the tender of what it reverses, which is looked up for it alone.
CREATE OR REPLACE FUNCTION in_cash(own_tender "Tender", original uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(CASE WHEN original IS NULL THEN own_tender
    ELSE (SELECT o.tender FROM movements o WHERE o.id = original) END = 'cash', false)
$$;
