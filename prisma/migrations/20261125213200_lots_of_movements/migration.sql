-- Behind the gate until the new functions stand. Those of before have a parameter named held, and write no movement_id.
ALTER TABLE "customers" ADD COLUMN "held" INTEGER NOT NULL DEFAULT 0,
  ADD CONSTRAINT "customers_held" CHECK ("held" >= 0 AND "held" <= "balance");
ALTER TABLE "lots" ADD COLUMN "held" INTEGER NOT NULL DEFAULT 0,
  ADD CONSTRAINT "lots_held" CHECK ("held" >= 0 AND "held" <= "remaining");
-- A lot names the movement that made it.
SELECT set_config('wallet.posting', 'on', true);
UPDATE "lots" SET "movement_id" = "id" WHERE "movement_id" IS NULL;
ALTER TABLE "lots" ALTER COLUMN "movement_id" SET NOT NULL, DROP CONSTRAINT "lots_id_fkey",
  ADD CONSTRAINT "lots_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
-- What a row for post_movements asks of a hold (open, capture, void, undo, extend, release), and what it answers of it.
ALTER TYPE "posting_row" ADD ATTRIBUTE "hold_call" text, ADD ATTRIBUTE "hold" uuid, ADD ATTRIBUTE "up_to" boolean,
  ADD ATTRIBUTE "seconds" integer, ADD ATTRIBUTE "final" boolean;
ALTER TYPE "posting_outcome" ADD ATTRIBUTE "held" integer, ADD ATTRIBUTE "hold" jsonb;
