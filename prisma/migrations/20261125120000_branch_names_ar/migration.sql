-- The name of a branch for who reads Arabic. Branches of before, and those that servers of the version before make, have none.
ALTER TABLE "branches" ADD COLUMN "name_ar" TEXT;
