import { PANELS } from "@/lib/domain/panels";
import { ROLES, type Role } from "@/lib/domain/roles";
import { topUp } from "@/lib/ledger/move-points";
import { tokenOf } from "@/lib/testing/calls";
import { contextOf, makeAdmin, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { type PageIds, pagesFor } from "./support/pages";
import { expect, signIn, test } from "./support/test";

const prefix = (role: Role) => `/${PANELS[role].segment}/`;

test("a signed-out visitor is redirected from every panel page to login", async ({ request, shop }) => {
  const ids: PageIds = { merchant: shop.merchant.id, customer: "x", publicId: "x", movement: "x" };
  for (const role of ROLES) {
    for (const path of pagesFor(role, ids).filter((one) => one.startsWith(prefix(role)))) {
      const response = await request.get(path, { maxRedirects: 0 });
      expect([response.status(), response.headers().location], path).toEqual([
        307,
        `/login?from=${encodeURIComponent(path)}`,
      ]);
    }
  }
});

for (const role of ROLES) {
  test(`${role} cannot open pages of other roles or data of another merchant`, async ({
    page,
    db,
    shop,
    baseURL,
  }) => {
    // Another merchant, with a customer who has a movement.
    const other = await makeMerchant(db);
    const stranger = await makeCustomer(db, other);
    const clerk = await makeWorker(db, other);
    const { movement } = await topUp(contextOf(db, clerk), {
      customerId: stranger.id,
      points: 40,
      branchId: other.branch.id,
    });
    const ids: PageIds = {
      merchant: other.merchant.id,
      customer: stranger.id,
      publicId: stranger.publicId,
      movement: movement.id,
    };
    const user =
      role === "merchant_owner"
        ? shop.owner
        : role === "branch_worker"
          ? shop.worker
          : await makeAdmin(db, { role });
    await signIn(db, page, user);
    const own = new Set(pagesFor(role, ids).filter((path) => path.startsWith(prefix(role))));

    await test.step("pages of other roles redirect to the home page", async () => {
      const foreign = ROLES.flatMap((another) =>
        pagesFor(another, ids).filter((path) => path.startsWith(prefix(another))),
      );
      const withoutQuery = (path: string) => path.split("?", 1)[0];
      const ownPaths = new Set([...own].map(withoutQuery));
      for (const path of new Set(foreign.filter((one) => !ownPaths.has(withoutQuery(one))))) {
        const response = await page.request.get(path, { maxRedirects: 0 });
        expect([path, response.status(), response.headers().location]).toEqual([path, 307, "/"]);
      }
    });

    const seesAllMerchants = role === "super_admin" || role === "admin";
    if (!seesAllMerchants) {
      await test.step("pages about another merchant's records answer 404", async () => {
        for (const path of [...own].filter((one) => /[0-9a-f]{8}-/.test(one))) {
          expect([path, (await page.request.get(path)).status()]).toEqual([path, 404]);
        }
      });
    }

    await test.step("calls about another merchant's records answer 404 if the role may make them at its own merchant, else 403", async () => {
      const headers = { authorization: await tokenOf(db, user) };
      const money = { customerId: stranger.id, sPoints: 5, iBranchId: other.branch.id };
      // The roles that may make the call at their own merchant.
      const owners: Role[] = ["merchant_owner"];
      const staff: Role[] = ["merchant_owner", "branch_worker"];
      const calls: [string, string, Role[], unknown?][] = [
        ["GET", `customer-management/view/${stranger.id}`, staff],
        ["PUT", `customer-management/${stranger.id}`, owners, { sFullName: "Mine now" }],
        ["POST", "top-up-points", staff, money],
        ["POST", "redeem-points", staff, money],
        ["POST", `transactions/${movement.id}/reverse`, staff, { sReason: "because" }],
        ["GET", `branches/${other.branch.id}`, owners],
        ["PUT", `branches/${other.branch.id}`, owners, { sBranchName: "Mine", sCity: "Doha" }],
        ["GET", `workers/${clerk.id}`, owners],
        ["DELETE", `workers/${clerk.id}`, owners],
        ["GET", `merchants/${other.merchant.id}`, []],
        ["PUT", `merchants/${other.merchant.id}/approval`, [], { eStatus: "R", sReason: "no" }],
      ];
      // A super_admin may access every merchant's records; an administrator manages merchants.
      const allowed = (path: string) =>
        role === "super_admin" || (role === "admin" && path.startsWith("merchants/"));
      for (const [method, path, allowedRoles, data] of calls.filter(([, one]) => !allowed(one))) {
        const response = await page.request.fetch(`/api/${path}`, {
          method,
          headers,
          data: data as object | undefined,
        });
        expect(response.status(), `${method} ${path}`).toBe(allowedRoles.includes(role) ? 404 : 403);
      }
      const cookieOnly = await page.request.post(`${baseURL}/api/top-up-points`, { data: money });
      expect(cookieOnly.status(), "a session cookie without a token is refused").toBe(401);
    });

    if (role !== "super_admin") {
      const after = await db.customer.findUniqueOrThrow({ where: { id: stranger.id } });
      expect([after.balance, after.fullName]).toEqual([40, stranger.fullName]);
    }
  });
}
