-- The function that posts names the new index. It changes before any posting follows.
LOCK TABLE "movements";
DROP INDEX IF EXISTS "movements_tx";
DROP INDEX IF EXISTS "movements_actor_id_key";
