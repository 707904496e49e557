-- A seal's head: the head before it, which seal it is, and the digests of its blocks of 1,000 entries.
CREATE OR REPLACE FUNCTION audit_seal_head(previous bytea, n int, from_tx bigint, to_tx bigint, entries int, blocks bytea)
RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(previous || int4send(n) || int8send(from_tx) || int8send(to_tx) || int4send(entries) || blocks)
$$;
