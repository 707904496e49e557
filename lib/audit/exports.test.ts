import { expect, test } from "vitest";
import { exportCustomers } from "@/lib/customers/list-customers";
import { exportMovements } from "@/lib/ledger/read-movements";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeMerchant } from "@/lib/testing/factories";
import { exportWorkers } from "@/lib/workers/workers";
import { verifyAudits } from "./check-audits";

const db = await testDb();

test("an export's entry says that a search was used, and not what was searched for", async () => {
  const shop = await makeMerchant(db);
  const ctx = contextOf(db, shop.owner);
  await exportCustomers(ctx, exportCustomers.input.parse({ search: "Layla Haddad" }));
  await exportMovements(ctx, exportMovements.input.parse({ search: "Layla Haddad" }));
  await exportWorkers(ctx, exportWorkers.input.parse({ search: "Layla Haddad" }));
  await exportWorkers(ctx, exportWorkers.input.parse({}));
  const entries = await auditsOf(db, shop.merchant.id);
  expect(JSON.stringify(entries.map(({ after }) => after))).not.toContain("Layla");
  expect(entries.map(({ after }) => (after as unknown as { searched?: true }).searched)).toEqual([
    ...[true, true, true, undefined],
  ]);
});

test("a server of the version before leaves no text of a search either", async () => {
  const shop = await makeMerchant(db);
  const { id } = shop.merchant;
  const given = { merchantId: id, entity: "merchant", entityId: id, action: "export.customers" };
  const after = { search: "Layla Haddad", status: "active" };
  await db.$queryRaw`select write_audit(${JSON.stringify({ ...given, after })}::jsonb)::text`;
  expect((await auditsOf(db, id)).map((entry) => entry.after)).toEqual([
    { searched: true, status: "active" },
  ]);
  expect((await verifyAudits(db)).wrong).toBeNull();
});
