import type { Page } from "@playwright/test";
import type { Db } from "@/lib/db/client";
import { sealMovements } from "@/lib/jobs/daily-sums";
import { expect } from "./test";

/** The figures of a line of the liability report: paid, bonus and total. */
export const figuresOf = (page: Page, report: "points" | "qar", line: string) =>
  page.locator(`[data-report=${report}] tr[data-line=${line}] td`);

/** Seals the merchant's movements until so many are sealed: a transaction that is open holds the seal up. */
export async function untilSealed(db: Db, merchantId: string, total: number): Promise<void> {
  await expect
    .poll(async () => {
      await sealMovements(db, merchantId);
      const last = await db.seal.findFirst({ where: { merchantId }, orderBy: { n: "desc" } });
      return Number(last?.total ?? 0);
    })
    .toBe(total);
}
