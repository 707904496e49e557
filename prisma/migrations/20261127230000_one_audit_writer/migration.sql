-- Only write_audit adds entries. Servers that inserted entries themselves are two versions old: what was kept for them goes,
-- and prisma/grants.sql takes their right to insert away.
DROP TRIGGER "audits_beside" ON "audits";
DROP FUNCTION audit_beside();
ALTER TABLE "audits" DROP CONSTRAINT "audits_beside", DROP COLUMN "before", DROP COLUMN "after";
