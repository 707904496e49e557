import { seedDemo } from "@/prisma/seed";
import { withDb } from "./with-db";

/** Fills an empty database with the demo's people (once: a filled one is left as it is). */
export const seed = (url: string) => withDb(url, seedDemo);

/** The guide for a person who just started the demo: address, accounts, and each shop's sign-up link. */
export function demoGuide(url: string, appUrl: string): Promise<string> {
  return withDb(url, async (db) => {
    const accounts = await db.user.findMany({
      where: { email: { endsWith: ".test" }, status: "active" },
      orderBy: [{ role: "asc" }, { email: "asc" }],
      select: { email: true, role: true, merchant: { select: { businessName: true, status: true } } },
      take: 12,
    });
    const shops = await db.merchant.findMany({
      where: { status: "approved" },
      orderBy: { createdAt: "asc" },
      select: { publicId: true, businessName: true },
      take: 20,
    });
    const about = ({ role, merchant }: (typeof accounts)[number]) =>
      merchant
        ? `${role}, ${merchant.businessName}${merchant.status === "pending" ? " (pending)" : ""}`
        : role;
    return [
      "",
      `Loyalty Wallet is ready: ${appUrl}`,
      `The e-mails it sends: ${appUrl}/dev/mailbox`,
      "",
      "Accounts, password demo-wallet-2026:",
      ...accounts.map((account) => `  ${account.email.padEnd(20)} ${about(account)}`),
      "",
      "Customer sign-up:",
      ...shops.map((shop) => `  ${shop.businessName.padEnd(20)} ${appUrl}/customer/signup/${shop.publicId}`),
      "",
    ].join("\n");
  });
}
