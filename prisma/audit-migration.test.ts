import { expect, test } from "vitest";
import { verifyAudits } from "@/lib/audit/check-audits";
import { createDb } from "@/lib/db/client";
import { sealAudits } from "@/lib/jobs/daily-sums";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { databaseBefore, loadDump } from "@/lib/testing/old-database";
import { migrate } from "@/scripts/lib/migrate";

test("audit chain: every entry stays, its values move beside it, and the chain seals all of them", {
  timeout: 120_000,
}, async () => {
  const { url, client } = await databaseBefore("20261121230000_actors");
  await loadDump(client, "demo-2026-11-21.json.gz");
  await migrate(url, { before: "20261122130000_audit_chain" });
  const { rows: merchants } = await client.query("select id from merchants limit 1");
  const values = {
    before: { name: "Souq", city: null },
    after: { name: "Pearl", nested: { list: [1, "ليلى"] } },
  };
  await client.query(
    `insert into audits (merchant_id, action, entity, entity_id, before, after, created_at) values
       ($1, 'branch.changed', 'branch', gen_random_uuid()::text, $2, $3, '2025-01-01'),
       ($1, 'customer.email', 'customer', gen_random_uuid()::text, null, null, '2025-01-02')`,
    [merchants[0].id, values.before, values.after],
  );
  const { rows: before } = await client.query("select * from audits order by id");

  expect(await migrate(url)).toContain("20261122130000_audit_chain");

  const { rows: after } = await client.query(
    `select a.id, a.actor_type, a.actor_id, a.api_key_id, a.customer_id, a.job, a.merchant_id, a.action, a.entity,
       a.entity_id, t.content->'before' as before, t.content->'after' as after, a.created_at
     from audits a left join audit_texts t on t.audit_id = a.id order by a.id`,
  );
  expect(after).toEqual(before.map((row) => expect.objectContaining(row)));
  expect(before.length).toBeGreaterThanOrEqual(2);
  const db = createDb(url, 2);
  await waitForOpenTransactions(db);
  expect(await sealAudits(db)).toBe(before.length);
  expect(await verifyAudits(db)).toMatchObject({ entries: before.length, wrong: null });
  await db.$disconnect();
});
