import type { Prisma } from "@/lib/db/generated/client";

// No counter offers more branches than this to choose from.
const BRANCHES = 200;

/** What the counter reads of a merchant: its name, its image, its open branches in the order they were made. */
export const servingMerchant = {
  id: true,
  businessName: true,
  imageKey: true,
  firstName: true,
  lastName: true,
  branches: {
    where: { archivedAt: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: BRANCHES,
    select: { id: true, name: true, city: true },
  },
} satisfies Prisma.MerchantSelect;
