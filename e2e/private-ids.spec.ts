import { formatPhone } from "@/lib/domain/contact";
import { topUp } from "@/lib/ledger/move-points";
import { contextOf, makeAdmin, makeCustomer } from "@/lib/testing/factories";
import { pagesFor } from "./support/pages";
import { expect, signIn, test } from "./support/test";

test("no page of an employee or an administrator contains the private id of a customer, in its text or in its data", async ({
  page,
  db,
  shop,
}) => {
  const card = await makeCustomer(db, shop, { fullName: "Layla Haddad" });
  const { movement } = await topUp(contextOf(db, shop.worker), {
    customerId: card.id,
    points: 40,
    branchId: shop.branch.id,
  });
  const ids = {
    merchant: shop.merchant.id,
    customer: card.id,
    publicId: card.publicId,
    movement: movement.id,
  };
  for (const role of ["branch_worker", "admin"] as const) {
    await signIn(db, page, role === "admin" ? await makeAdmin(db, { role }) : shop.worker);
    const seen: string[] = [];
    for (const path of [...pagesFor(role, ids), `/employee/transactions/${movement.id}`]) {
      for (const rsc of [false, true]) {
        const text = await (await page.request.get(path, { headers: rsc ? { rsc: "1" } : {} })).text();
        expect(text.includes(card.id), path).toBe(false);
        if (text.includes(card.publicId)) seen.push(path);
      }
    }
    // Some of them do show the customer, so the others prove something.
    if (role === "branch_worker") expect(seen.length).toBeGreaterThan(1);
  }
});

test("the public id, which employees see, opens no card", async ({ request, db, shop }) => {
  const card = await makeCustomer(db, shop, { fullName: "Layla Haddad" });
  const [, digits = ""] = /^\+974(\d+)$/.exec(card.phone ?? "") ?? [];
  const paths = (id: string) => [
    `/customer/loyalty-card/${id}`,
    `/api/customer/${id}/loyalty-card.pdf`,
    `/api/customer/${id}/apple-wallet-pass`,
    `/customer/${id}/apple-wallet-pass`,
    `/api/customer/${id}/google-wallet-link`,
    `/api/customer/${id}/balance`,
    `/api/customer/${id}/my-data`,
  ];
  for (const path of paths(card.publicId)) {
    const answer = await request.get(path);
    const text = await answer.text();
    for (const secret of [card.email ?? "", digits, card.fullName, card.id]) {
      expect(secret.length).toBeGreaterThan(6);
      expect(text.includes(secret), `${path} answers ${answer.status()} with ${secret}`).toBe(false);
    }
  }
  // The private one opens it, and without the holder's cookie tells no contact.
  const text = await (await request.get(`/customer/loyalty-card/${card.id}`)).text();
  expect(text).toContain(card.fullName);
  for (const contact of [card.email ?? "", digits, formatPhone(card.phone ?? "")]) {
    expect(text).not.toContain(contact);
  }
});
