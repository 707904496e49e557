-- A posting changes the balance of one customer, a column in no index. With room left on its page the new version stays
-- there (a HOT update) and none of the table's indexes is written, among them two of trigrams.
ALTER TABLE "customers" SET (fillfactor = 70);
