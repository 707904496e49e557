-- Receipts on paper: their width at each merchant, and how often each was printed. Existing merchants get 80 mm.
ALTER TABLE "merchants"
  ADD COLUMN "paper_width" INTEGER NOT NULL DEFAULT 80,
  ADD CONSTRAINT "merchants_paper_width" CHECK ("paper_width" IN (58, 80));

CREATE TABLE "receipt_prints" (
    "movement_id" UUID NOT NULL,
    "prints" INTEGER NOT NULL,
    -- Who printed last, with which key: the same request again is the same print.
    "last_key" TEXT,

    CONSTRAINT "receipt_prints_pkey" PRIMARY KEY ("movement_id"),
    CONSTRAINT "receipt_prints_prints" CHECK ("prints" >= 1),
    CONSTRAINT "receipt_prints_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id")
      ON DELETE RESTRICT ON UPDATE NO ACTION
);

-- A receipt that was printed stays printed: a second original is not to be had by counting anew.
CREATE FUNCTION receipt_prints_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR NEW.movement_id <> OLD.movement_id OR NEW.prints < OLD.prints THEN
    RAISE EXCEPTION 'prints of receipts are never taken back';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "receipt_prints_grow" BEFORE UPDATE OR DELETE ON "receipt_prints"
  FOR EACH ROW EXECUTE FUNCTION receipt_prints_grow();
CREATE TRIGGER "receipt_prints_no_truncate" BEFORE TRUNCATE ON "receipt_prints" EXECUTE FUNCTION append_only();
