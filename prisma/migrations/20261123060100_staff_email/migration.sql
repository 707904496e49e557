-- Codes with which staff change their own e-mail: mailed to the new address, and to the one that is replaced.
ALTER TYPE "CodePurpose" ADD VALUE 'staff_email';
ALTER TYPE "CodePurpose" ADD VALUE 'staff_leave';
