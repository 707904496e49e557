-- Whether a stored idempotency key is this one of this user. The unique index of a user's movements (movements_user_key) has
-- two hashes of both, which are shorter than they.
CREATE OR REPLACE FUNCTION is_key(owner uuid, stored text, actor uuid, key text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT uuid_hash_extended(owner, hashtextextended(stored, 0)) = uuid_hash_extended(actor, hashtextextended(key, 0))
    AND uuid_hash_extended(owner, hashtextextended(stored, 1)) = uuid_hash_extended(actor, hashtextextended(key, 1))
    AND owner = actor AND stored = key
$$;
