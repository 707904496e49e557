import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { diskStorage } from "@/lib/files/storage";
import { makeAdmin } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const words = wordsOf("en");

const policyOf = (headers: Record<string, string>) => headers["content-security-policy"] ?? "";

test("every answer has a content security policy, whatever its path, method and status", async ({
  request,
}) => {
  const nonces = new Set<string>();
  for (const [method, path] of [
    ["GET", "/login"],
    ["GET", "/nothing"],
    ["GET", "/nothing.js"],
    ["GET", "/icon.svg"],
    ["GET", "/sw.js"],
    ["GET", "/manifest.webmanifest"],
    ["GET", "/_next/static/nothing.js"],
    ["GET", "/_next/nothing"],
    ["GET", "/api/health"],
    ["GET", "/api/nothing"],
    ["POST", "/api/auth/login"],
    ["POST", "/login"],
    ["GET", "/%ff"],
    ["GET", "/customer/loyalty-card/nothing"],
    ["GET", "/customer/loyalty-card/x.html"],
    ["GET", "/merchant/dashboard.txt"],
    ["GET", "/login/"],
    ["GET", "/api/"],
    ["HEAD", "/login"],
    ["OPTIONS", "/login.js"],
    ["GET", "/login"],
    ["GET", "/signup"],
  ] as const) {
    const answer = await request.fetch(path, { method, maxRedirects: 0 });
    const strict = /(?:script-src|style-src|default-src) ([^;]*)/g;
    const policy = policyOf(answer.headers());
    expect([path, policy]).toEqual([path, expect.stringContaining("default-src")]);
    for (const [, sources = ""] of policy.matchAll(strict)) {
      expect(sources, path).not.toMatch(/unsafe-inline|\*|https?:(?!\/)/);
    }
    if (!answer.headers()["content-type"]?.includes("text/html") || method !== "GET") continue;
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "none";
    expect(nonces, `${path} has the nonce of another answer`).not.toContain(nonce);
    nonces.add(nonce);
    const scripts = (await answer.text()).match(/<script\b[^>]*>/g) ?? [];
    const strange = scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`) && !tag.includes("/json"));
    expect(strange, path).toEqual([]);
  }
  expect(nonces.size).toBeGreaterThan(3);
  expect(policyOf((await request.get("/api/media/nothing")).headers())).toContain("sandbox");
});

test("an injected style is not applied and an injected inline script does not run; both are reported", async ({
  page,
  violations,
  shop,
  db,
}) => {
  await signIn(db, page, shop.owner);
  await test.step("the styles of toasts, selects, dialogs and the theme are applied, an injected one is not", async () => {
    await page.goto("/merchant/account");
    // A toast, after a refresh that brings another nonce.
    const profile = page.locator("form").filter({ has: page.getByLabel(words.account.profile.firstName) });
    await profile.getByRole("button", { name: words.account.profile.save }).click();
    await expect(page.locator("[data-sonner-toast]").first()).toHaveCSS("position", "absolute");
    await page.goto("/merchant/workers");
    await page.getByRole("button", { name: words.workers.add }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    // Only the style of react-remove-scroll locks the page below a dialog.
    await expect(page.locator("body")).toHaveCSS("overflow", "hidden");
    await page.getByRole("dialog").getByRole("combobox").first().click();
    await expect(page.getByRole("listbox")).toBeVisible();
    expect(violations).toEqual([]);
    await page.route("**/merchant/dashboard", async (route) => {
      const response = await route.fetch();
      const injected = "<style>body { outline: 7px solid red }</style></body>";
      await route.fulfill({ response, body: (await response.text()).replace("</body>", injected) });
    });
    await page.goto("/merchant/dashboard");
    await expect.poll(() => violations.length).toBe(1);
    expect(violations[0]).toContain("style-src-elem inline");
    await expect(page.locator("body")).not.toHaveCSS("outline-width", "7px");
    violations.length = 0;
    await page.unrouteAll();
  });

  await test.step("an injected inline script does not run, and is reported", async () => {
    const reported = page.waitForRequest((request) => request.url().endsWith("/api/csp-report"));
    await page.goto("/merchant/dashboard");
    expect(violations).toEqual([]);
    // In the page's own source, as an injection would be: scripts that a trusted script adds may run.
    await page.route("**/merchant/dashboard", async (route) => {
      const response = await route.fetch();
      const injected = '<img src="x" onerror="window.ran = 1"><script>window.ran = 1</script></body>';
      await route.fulfill({ response, body: (await response.text()).replace("</body>", injected) });
    });
    await page.goto("/merchant/dashboard");
    await expect.poll(() => violations.length).toBeGreaterThanOrEqual(2);
    expect(await page.evaluate(() => (window as { ran?: number }).ran)).toBeUndefined();
    const answer = await (await reported).response();
    expect(answer?.status()).toBe(204);
    // Expected here.
    violations.length = 0;
  });
});

// A PDF that runs a script when it is opened.
const SCRIPTED_PDF = Buffer.from(
  "%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
);

test("a PDF with a script reaches administrators as a download in a sandbox, never inline", async ({
  page,
  db,
  shop,
}) => {
  const key = `documents/${randomUUID()}`;
  await diskStorage(join(process.env.DATA_DIR ?? "", "media"), "").write(
    key,
    SCRIPTED_PDF,
    "application/pdf",
  );
  const data = {
    key,
    fileName: "licence.pdf",
    contentType: "application/pdf",
    category: "document",
  } as const;
  const file = await db.upload.create({
    data: { ...data, merchantId: shop.merchant.id, attachedAt: new Date() },
  });
  await signIn(db, page, await makeAdmin(db));
  const path = `/admin/merchants/${shop.merchant.id}/documents/${file.id}`;
  const headers = (await page.request.get(path)).headers();
  expect(headers["content-disposition"]).toMatch(/^attachment/);
  expect(policyOf(headers)).toContain("sandbox");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect((await page.request.get(`/api/media/${key}`)).status()).toBe(404);
  await page.goto(`/admin/merchants/${shop.merchant.id}`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "licence.pdf" }).click();
  expect((await download).suggestedFilename()).toBe("licence.pdf");
  await db.upload.update({ where: { id: file.id }, data: { fileName: 'x"\r\nSet-Cookie: a=b.html' } });
  expect((await page.request.get(path)).headers()).not.toHaveProperty("set-cookie");
  for (const stranger of [shop.owner, shop.worker]) {
    // Their cookie names an administrator, as one that is older than a change of the role.
    await signIn(db, page, { ...stranger, role: "super_admin" });
    const answer = await page.request.get(path, { maxRedirects: 0 });
    expect([stranger.role, answer.status()]).not.toEqual([stranger.role, 200]);
  }
  expect(page.url()).not.toContain("/documents/");
});
