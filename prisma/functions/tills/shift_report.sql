-- The numbers of a shift as its report freezes them.
CREATE OR REPLACE FUNCTION shift_report(s shifts, counted jsonb, closer uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  WITH drawer AS (
    SELECT kind, count(*) AS n, sum(amount)::bigint AS dirhams FROM drawer_moves d WHERE d.shift_id = s.id GROUP BY 1
  ), taken AS (
    SELECT t.tender, coalesce(x.dirhams, 0) + CASE WHEN t.tender = 'cash' THEN s.opening_cash
        + coalesce((SELECT dirhams FROM drawer WHERE kind = 'pay_in'), 0)
        - coalesce((SELECT dirhams FROM drawer WHERE kind = 'pay_out'), 0) ELSE 0 END AS expected,
      (counted ->> t.tender)::bigint AS counted, t.place
    FROM unnest(ARRAY['cash', 'card', 'bank', 'online', 'other']) WITH ORDINALITY AS t(tender, place)
    LEFT JOIN till_tenders(s.till_id, s.period) x ON x.tender = t.tender
    WHERE t.tender = 'cash' OR x.tender IS NOT NULL OR counted ? t.tender
  ), kinds AS (
    SELECT m.type::text AS type, count(*) AS n, sum(m.points)::bigint AS points,
      sum(m.points::bigint * m.rate)::bigint AS dirhams
    FROM movements m WHERE m.till_id = s.till_id AND m.till_period = s.period GROUP BY 1
  ), other_tills AS (
    -- Cash that was given back here and is in the drawer of another till, or was taken without one.
    SELECT (SELECT l.name FROM tills l WHERE l.id = o.till_id) AS till, count(*) AS n,
      -sum(m.paid_points::bigint * m.rate)::bigint AS dirhams
    FROM movements m JOIN movements o ON o.id = m.reverses_id
    WHERE m.till_id = s.till_id AND m.till_period = s.period AND o.type = 'TOP_UP' AND o.tender = 'cash'
      AND o.till_id IS DISTINCT FROM s.till_id GROUP BY o.till_id
  ), served AS (
    SELECT DISTINCT ON (m.actor_id) m.actor_id AS id, m.actor_name AS name FROM movements m
    WHERE m.till_id = s.till_id AND m.till_period = s.period AND m.actor_id IS NOT NULL ORDER BY m.actor_id, m.id DESC
  ), named AS (
    SELECT u.id, u.first_name || ' ' || u.last_name AS name FROM users u WHERE u.id IN (s.opened_by_id, closer)
  )
  SELECT jsonb_build_object(
    'till', (SELECT name FROM tills WHERE id = s.till_id),
    'branch', (SELECT name FROM branches WHERE id = s.branch_id),
    'openedBy', (SELECT name FROM named WHERE id = s.opened_by_id),
    'closedBy', (SELECT name FROM named WHERE id = closer),
    'tenders', (SELECT jsonb_agg(jsonb_build_object('tender', tender, 'expected', expected, 'counted', counted,
      'difference', counted - expected) ORDER BY place) FROM taken),
    'kinds', coalesce((SELECT jsonb_object_agg(type, jsonb_build_object('count', n, 'points', points, 'dirhams', dirhams))
      FROM kinds), '{}'),
    'drawer', coalesce((SELECT jsonb_object_agg(kind, jsonb_build_object('count', n, 'dirhams', dirhams)) FROM drawer), '{}'),
    'otherTills', coalesce((SELECT jsonb_agg(jsonb_build_object('till', till, 'count', n, 'dirhams', dirhams)
      ORDER BY till, dirhams) FROM other_tills), '[]'),
    'served', coalesce((SELECT jsonb_agg(jsonb_build_object('id', id, 'name', name) ORDER BY name, id) FROM served), '[]')
  )
$$;
