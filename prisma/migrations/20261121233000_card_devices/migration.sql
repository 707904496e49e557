-- The table holds the devices of card holders, so its name says so. Every row stays.
ALTER TABLE "card_holders" RENAME TO "card_devices";

-- Renames the primary key, the foreign key and the NOT NULL constraints, which carry the old table name. Renaming the
-- primary key renames its index.
DO $$
DECLARE old_name name;
BEGIN
  FOR old_name IN
    SELECT conname FROM pg_constraint
    WHERE conrelid = 'card_devices'::regclass AND starts_with(conname, 'card_holders_')
  LOOP
    EXECUTE format('ALTER TABLE card_devices RENAME CONSTRAINT %I TO %I', old_name,
      replace(old_name, 'card_holders_', 'card_devices_'));
  END LOOP;
END $$;

ALTER INDEX "card_holders_token_hash_key" RENAME TO "card_devices_token_hash_key";
ALTER INDEX "card_holders_customer_id_idx" RENAME TO "card_devices_customer_id_idx";
