-- The first result of a user's or an API key's request by its key, whatever the state of merchant, branch, customer or worker now.
CREATE OR REPLACE FUNCTION stored_posting(rows jsonb) RETURNS SETOF posting_outcome LANGUAGE sql STABLE AS $$
  SELECT a.* FROM repeated_posting(jsonb_populate_record(NULL::posting_row, rows -> 0), NULL) a
  WHERE a.outcome IS NOT NULL
$$;
