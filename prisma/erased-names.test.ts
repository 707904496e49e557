import { expect, onTestFinished, test } from "vitest";
import { verifyAudits } from "@/lib/audit/check-audits";
import { createDb } from "@/lib/db/client";
import { sealAudits } from "@/lib/jobs/daily-sums";
import { databaseOfA60e4c2c } from "@/lib/testing/old-database";
import { migrate } from "@/scripts/lib/migrate";

test("an upgrade erases the searches of exports and the warnings about deleted cards, and the audit log verifies", {
  timeout: 120_000,
}, async () => {
  const old = await databaseOfA60e4c2c();
  const write = (entry: object) =>
    old.client.query("select write_audit($1::jsonb)", [JSON.stringify({ entity: "platform", ...entry })]);
  await write({ action: "export.customers", after: { search: "Layla Haddad" } });
  await write({ action: "export.customers", after: { status: "active" } });
  const ids = (
    await old.client.query(`
      with m as (
        insert into merchants (business_name, first_name, last_name, email, phone, status)
        values ('Karak', 'Noor', 'Haddad', 'shop@example.test', '+97455123456', 'approved') returning id),
      c as (
        insert into customers (id, public_id, merchant_id, full_name, email, status, erased_at, updated_at)
        select gen_random_uuid(), gen_random_uuid(), m.id, v.name, v.email, v.status::"CustomerStatus", v.erased::timestamptz, now()
        from m, (values ('–', null, 'erased', now()::text), ('Omar', 'omar@example.test', 'active', null))
          v(name, email, status, erased) returning id, status)
      insert into emails (recipient, subject, text, html, locale)
      select 'shop@example.test', c.status::text, 'https://wallet.example/merchant/customers/' || c.id, '', 'en' from c
      returning subject, (select id from c where c.status::text = emails.subject) as customer`)
  ).rows as { subject: string; customer: string }[];
  await migrate(old.url, { application: old.application });

  const db = createDb(old.application, 4);
  onTestFinished(() => db.$disconnect());
  const texts = await db.auditText.findMany({ where: { part: "details" } });
  expect(JSON.stringify(texts)).not.toContain("Layla");
  expect(JSON.stringify(texts)).toContain('"status":"active"');
  expect(await db.audit.count({ where: { action: "export.customers" } })).toBe(2);
  const omar = ids.find(({ subject }) => subject === "active")?.customer;
  expect(await db.email.findMany({ select: { subject: true, customerId: true } })).toEqual([
    { subject: "active", customerId: omar },
  ]);
  await sealAudits(db);
  expect(await verifyAudits(db)).toMatchObject({ wrong: null });
  // The values of an export after the upgrade may not go.
  const entry = await write({ action: "export.customers", after: { status: "blocked" } });
  expect(entry.rowCount).toBe(1);
  await old.client.query("delete from audit_texts where content->'after'->>'status' = 'blocked'");
  expect((await verifyAudits(db)).wrong).toMatchObject({ what: "text" });
});
