import { makeAdmin } from "@/lib/testing/factories";
import { serverFolder } from "@/scripts/lib/build";
import { startOwnServer } from "./support/own-server";
import { expect, signInByForm, test } from "./support/test";
import { wordsOf } from "./support/words";

/** As in production, where administrators must have a second factor. It sends nothing of the other journeys' mail. */
const production = (url: string) => ({
  APP_ENV: "production",
  APP_URL: url.replace("http:", "https:"),
  WORKER: "separate",
  SMTP_URL: "smtp://127.0.0.1:1",
  S3_BUCKET: "wallet",
  S3_ENDPOINT: "https://s3.example",
});

test("an administrator who must set a second factor reads that page in another language", async ({
  page,
  db,
}) => {
  test.slow();
  const admin = await makeAdmin(db, { locale: "en" });
  const server = await startOwnServer(serverFolder, production);
  try {
    await signInByForm(page, admin, `${server.url}/login`);
    await expect(page).toHaveURL(/\/account-security$/);
    await expect(page.getByRole("heading", { name: wordsOf("en").factors.enrolTitle })).toBeVisible();
    const saved = page.waitForResponse((answer) => answer.request().method() === "POST");
    await page.getByRole("button", { name: "العربية" }).click();
    expect((await saved).status()).toBe(200);
    await expect(page.getByRole("heading", { name: wordsOf("ar").factors.enrolTitle })).toBeVisible();
    expect(await db.user.findUniqueOrThrow({ where: { id: admin.id } })).toMatchObject({ locale: "ar" });
  } finally {
    await server.stop();
  }
});
