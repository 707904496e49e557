-- What people read as the Customer ID. Cards of before, and those that servers of the version before make, get theirs by a job.
ALTER TABLE "customers" ADD COLUMN "code" TEXT;
ALTER TABLE "customers" ADD CONSTRAINT "customers_code_form" CHECK ("code" ~ '^[B-DF-HJ-NP-TV-Z2-9]{6}$') NOT VALID;
