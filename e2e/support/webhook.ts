import type { Page } from "@playwright/test";
import type { EventType } from "@/lib/webhooks/model";
import type { Words } from "./words";

/** Adds a webhook on its page, which is open. Answers the secret that is shown once. */
export async function addWebhook(
  page: Page,
  { webhooks }: Words,
  url: string,
  types: readonly EventType[],
): Promise<string> {
  await page.getByRole("button", { name: webhooks.add }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(webhooks.url, { exact: true }).fill(url);
  for (const type of types) await dialog.getByLabel(type, { exact: true }).check();
  await dialog.getByRole("button", { name: webhooks.add }).click();
  const shown = page.getByRole("dialog", { name: new URL(url).host });
  const secret = ((await shown.locator("output").textContent()) ?? "").trim();
  await shown.getByRole("button", { name: webhooks.done }).click();
  return secret;
}
