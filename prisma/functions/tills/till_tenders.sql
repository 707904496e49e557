-- What was taken at a till in a period by tender, in dirhams: top-ups at their rate, less those reversed there. A
-- reversal counts where and when it is made.
CREATE OR REPLACE FUNCTION till_tenders(till uuid, in_period int) RETURNS TABLE (tender text, dirhams bigint) LANGUAGE sql STABLE AS $$
  SELECT coalesce(m.tender, o.tender)::text, sum(m.paid_points::bigint * m.rate)::bigint
  FROM movements m LEFT JOIN movements o ON o.id = m.reverses_id
  WHERE m.till_id = till AND m.till_period = in_period AND (m.type = 'TOP_UP' OR m.reverses_type = 'TOP_UP')
  GROUP BY 1
$$;
