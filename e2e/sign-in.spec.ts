import { makeMerchant } from "@/lib/testing/factories";
import { expect, signIn, signInByForm, test } from "./support/test";
import { wordsOf } from "./support/words";

const { shell } = wordsOf("en");

test("tabs follow each other: a sign-in reloads a tab at login, a sign-out redirects other tabs to login", async ({
  page,
  context,
  shop,
}) => {
  await page.goto("/login");
  const other = await context.newPage();
  await signInByForm(other, shop.owner);
  await expect(page).toHaveURL(/\/merchant\/dashboard$/);
  await page.goto("/merchant/account");
  await page.getByRole("button", { name: shell.signOut }).first().click();
  await page.getByRole("alertdialog").getByRole("button", { name: shell.signOut }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(other).toHaveURL(/\/login$/);
});

test("after a sign-out nothing of the session stays in the tab, but what must", async ({
  page,
  shop,
  db,
}) => {
  await signIn(db, page, shop.owner);
  await page.goto("/merchant/account");
  await page.evaluate(() => {
    sessionStorage.setItem("view:/merchant/customers", "search=Layla");
    sessionStorage.setItem("counter.liveCode", '{"id":"a","code":"b","at":1}');
    sessionStorage.setItem("counter.attempt.u.topup.c", '{"key":"k","customer":{"id":"c"},"sent":null}');
    sessionStorage.setItem(
      "counter.attempt.u.topup.d",
      '{"key":"k","customer":{"id":"d"},"sent":{"points":5}}',
    );
    (window as { kept?: string }).kept = "the last page";
    return new Promise<void>((done) => {
      const opened = indexedDB.open("till", 1);
      opened.onsuccess = () => done();
    });
  });
  const left = page.waitForResponse((answer) => answer.url().endsWith("/session/sign-out"));
  await page.getByRole("button", { name: shell.signOut }).first().click();
  await page.getByRole("alertdialog").getByRole("button", { name: shell.signOut }).click();
  const answer = await left;
  expect([answer.status(), await answer.headerValue("clear-site-data")]).toEqual([303, '"cache"']);
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("token"))).toBeNull();
  const state = await page.evaluate(async () => ({
    kept: (window as { kept?: string }).kept,
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).map(({ name }) => name),
  }));
  expect(state).toEqual({ session: ["counter.attempt.u.topup.d"], databases: ["till"] });
  // The browser's Back shows no page of the ended session.
  await page.goBack();
  await expect(page).toHaveURL(/\/login/);
});

test("no link and no form of another site signs anyone out, and no answer but the sign-in's sets the session cookie", async ({
  page,
  shop,
  db,
}) => {
  await signIn(db, page, shop.owner);
  await test.step("another site's form does not sign anyone out, nor one of a neighbour below the same domain", async () => {
    for (const site of ["cross-site", "same-site"])
      await page.request.post("/session/sign-out", { headers: { "sec-fetch-site": site }, maxRedirects: 0 });
    await page.goto("/merchant/account");
    await expect(page).toHaveURL(/\/merchant\/account/);
  });

  await test.step("only the sign-in's answer sets the session cookie: other answers never restore it", async () => {
    const answers = await Promise.all(
      ["/merchant/customers", "/login", "/topup", "/"].map((path) =>
        page.request.get(path, { maxRedirects: 0 }),
      ),
    );
    for (const answer of answers) expect(answer.headers()["set-cookie"] ?? "", answer.url()).toBe("");
  });

  await test.step("no link signs a live session out", async () => {
    const open = (site: string) =>
      page.request.get("/session/ended", { headers: { "sec-fetch-site": site }, maxRedirects: 0 });
    for (const site of ["cross-site", "same-origin", "none"]) {
      const answer = await open(site);
      expect([answer.status(), answer.headers().location]).toEqual([307, "/"]);
    }
    await page.goto("/merchant/customers");
    await expect(page).toHaveURL(/\/merchant\/customers$/);
  });
});

test("a merchant that waits for approval also signs out after a confirmation", async ({ page, db }) => {
  const { owner } = await makeMerchant(db, { status: "pending" });
  await signIn(db, page, owner);
  await page.goto("/");
  await expect(page).toHaveURL(/\/account-status$/);
  await page.getByRole("button", { name: shell.signOut }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("Are you sure you want to sign out?");
  await question.getByRole("button", { name: shell.signOut }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test("a cookie of a deleted session leads to login without a redirect loop", async ({ page, shop, db }) => {
  await signIn(db, page, shop.owner);
  await page.goto("/");
  await expect(page).toHaveURL(/\/merchant\/dashboard$/);
  await db.session.deleteMany({ where: { userId: shop.owner.id } });
  // The server remembers a session that it read a moment ago, and hears of its end within a second.
  await expect(async () => {
    await page.goto("/merchant/customers");
    await expect(page).toHaveURL(/\/login\?/, { timeout: 500 });
  }).toPass();
  await expect(page.getByText("Your session has ended. Please sign in again.")).toBeVisible();
  await signInByForm(page, shop.owner, page.url());
  await expect(page).toHaveURL(/\/merchant\/customers$/);
});

test("a removed token and the sixth Try Again sign out, and the login page stays", async ({
  page,
  context,
  shop,
  db,
}) => {
  await signIn(db, page, shop.owner);
  await page.goto("/merchant/account");
  const other = await context.newPage();
  await other.goto("/privacy");
  await other.evaluate(() => localStorage.removeItem("token"));
  await expect(page).toHaveURL(/\/login$/);
  await page.reload();
  await expect(page).toHaveURL(/\/login$/);
  expect(await db.session.count({ where: { userId: shop.owner.id, revokedAt: null } })).toBe(0);
});

test("a page of another role leads home, with home's address and heading, and so does the root", async ({
  page,
  shop,
}) => {
  await test.step("a page of another role leads home, with home's address and heading", async () => {
    await signInByForm(page, shop.worker, "/login?from=%2Fmerchant%2Ftransactions");
    await expect(page).toHaveURL(/\/employee\/account$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("My Account");
    // Who is signed in already is led to what the link asks for.
    await page.goto("/login?returnUrl=%2Ftopup%2F00000000-0000-4000-8000-000000000000");
    await expect(page).toHaveURL(/\/topup\/00000000/);
  });

  await test.step("the root redirects a role to its own page, and other roles' pages are closed to it", async () => {
    await page.goto("/");
    await expect(page).toHaveURL(/\/employee\/account$/);
    await page.goto("/merchant/account");
    await expect(page).not.toHaveURL(/\/merchant/);
  });
});

test("an empty sign-in is answered by sentences at its fields; a panel page opens after sign-in when it was requested before", async ({
  page,
  shop,
}) => {
  await test.step("an empty sign-in is answered by sentences at its fields, not by the browser", async () => {
    await page.goto("/login");
    await page.locator('form button[type="submit"]').first().click();
    await expect(page.getByRole("alert").filter({ hasText: "This field is required" })).toHaveCount(2);
  });

  await test.step("a panel page opens after sign-in when it was requested before", async () => {
    await page.goto("/merchant/account?tab=sessions");
    await expect(page).toHaveURL(/\/login\?from=%2Fmerchant%2Faccount%3Ftab%3Dsessions/);
    await signInByForm(page, shop.owner, page.url());
    await expect(page).toHaveURL(/\/merchant\/account\?tab=sessions$/);
    await expect(page.getByText(shop.owner.email).first()).toBeVisible();
  });
});

test("a reset link asks somebody who is signed in whether to sign out first", async ({ page, shop, db }) => {
  await signIn(db, page, shop.owner);
  await page.goto("/reset-password/somebody-elses-link");
  await expect(page.getByText(shop.owner.firstName)).toBeVisible();
  await expect(page.getByLabel("New password")).toHaveCount(0);
  await page.getByRole("button", { name: "Sign out and continue" }).click();
  await expect(page).toHaveURL(/\/reset-password\/somebody-elses-link$/);
  await expect(page.getByText("This link is invalid or has expired.")).toBeVisible();
});
