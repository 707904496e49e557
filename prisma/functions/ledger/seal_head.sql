-- A seal's head: the head before it, which seal it is, and the digests of its blocks of 1,000 movements.
CREATE OR REPLACE FUNCTION seal_head(previous bytea, merchant uuid, n int, from_tx bigint, to_tx bigint, movements int, blocks bytea)
RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(previous || uuid_send(merchant) || int4send(n) || int8send(from_tx) || int8send(to_tx)
    || int4send(movements) || blocks)
$$;
