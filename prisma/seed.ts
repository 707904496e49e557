import { createHash } from "node:crypto";
import { hashPassword } from "@/lib/accounts/password";
import type { Db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { importImage } from "@/lib/files/attach";
import { drawImage } from "./seed/images";
import { seedMovements } from "./seed/movements";
import { ADMINISTRATORS, DEMO_PASSWORD, HOUSES, type House, PENDING, type Person } from "./seed/people";
import { cardAge } from "./seed/plan";

/** How long before the first seed the demo's merchants opened; their createdAt is what later runs count from. */
const OPEN_DAYS = 320;
const DAY = 86_400_000;

/** An id that is the same at every run, for rows that no unique text names. Never for a customer: that id is a secret. */
function fixedId(name: string): string {
  const hex = createHash("sha256").update(`loyalty-wallet demo ${name}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const branchId = (house: House, index: number): string => fixedId(`${house.key} branch ${index}`);

async function seedAdministrators(db: Db): Promise<void> {
  const password = await hashPassword(DEMO_PASSWORD);
  await db.user.createMany({
    data: ADMINISTRATORS.map((person) => ({ ...person, passwordHash: password })),
    skipDuplicates: true,
  });
}

const staff = (person: Person) => {
  const { firstName, lastName, email, phone } = person;
  return { firstName, lastName, email, phone };
};

type Seeded = { merchantId: string; until: Date };

/** The house's people, branches and customers. Answers the moment up to which its days are counted. */
async function seedHouse(db: Db, house: House, decidedById: string): Promise<Seeded> {
  const password = await hashPassword(DEMO_PASSWORD);
  const opened = new Date(Date.now() - OPEN_DAYS * DAY);
  const merchant = await db.merchant.upsert({
    where: { email: house.owner.email },
    create: {
      ...staff(house.owner),
      businessName: house.businessName,
      status: "approved",
      decidedAt: opened,
      decidedById,
      createdAt: opened,
    },
    update: {},
    select: { id: true, createdAt: true },
  });
  const anchor = new Date(merchant.createdAt.getTime() + OPEN_DAYS * DAY);
  const home = { merchantId: merchant.id, passwordHash: password, createdAt: merchant.createdAt };
  await db.branch.createMany({
    data: house.branches.map((branch, index) => ({
      ...branch,
      id: branchId(house, index),
      merchantId: merchant.id,
      createdAt: merchant.createdAt,
    })),
    skipDuplicates: true,
  });
  await db.user.createMany({
    data: [
      { ...staff(house.owner), ...home, role: "merchant_owner" },
      ...house.workers.map((worker) => ({
        ...staff(worker),
        ...home,
        role: "branch_worker" as const,
        branchId: branchId(house, worker.branch),
      })),
    ],
    skipDuplicates: true,
  });
  await db.customer.createMany({
    data: house.customers.map((customer, index) => ({
      ...customer,
      merchantId: merchant.id,
      phone: `+9743${house.key === "karak" ? 3 : 6}${String(100_207 + index * 7_919).padStart(6, "0")}`,
      dateOfBirth: new Date(
        Date.UTC(1968 + ((index * 11 + 26) % 38), (index * 5) % 12, 1 + ((index * 13) % 27)),
      ),
      registeredAt: new Date(anchor.getTime() - cardAge(index) * DAY),
      consentAt: new Date(anchor.getTime() - cardAge(index) * DAY),
    })),
    skipDuplicates: true,
  });
  return { merchantId: merchant.id, until: anchor };
}

/** Gives the house its image, unless it has one. */
async function seedImage(db: Db, house: House, { merchantId: id }: Seeded): Promise<void> {
  const bare = await db.merchant.findFirst({ where: { id, imageKey: null }, select: { id: true } });
  if (!bare) return;
  const imageKey = await importImage(db, await drawImage(house), "image/png");
  await db.merchant.updateMany({ where: { id, imageKey: null }, data: { imageKey } });
}

/** The sixty days' movements of a house whose people are there. */
async function seedDays(db: Db, house: House, { merchantId, until }: Seeded): Promise<void> {
  const [customers, people] = await Promise.all([
    db.customer.findMany({ where: { merchantId }, select: { id: true, email: true } }),
    db.user.findMany({ where: { merchantId }, select: { id: true, email: true } }),
  ]);
  const ids = new Map([...customers, ...people].map(({ id, email }) => [email, id]));
  const idOf = ({ email }: { email: string }) => ids.get(email) ?? "";
  const roster = {
    customers: house.customers.map(idOf),
    branches: house.branches.map((_, index) => branchId(house, index)),
    workers: house.workers.map(idOf),
    owner: idOf(house.owner),
    erased: house.erased ? fixedId(`${house.key} erased customer`) : null,
  };
  await seedMovements(db, house, merchantId, roster, until);
}

async function seedPending(db: Db): Promise<void> {
  const { owner, businessName, branch } = PENDING;
  const merchant = await db.merchant.upsert({
    where: { email: owner.email },
    create: { ...staff(owner), businessName, createdAt: new Date(Date.now() - DAY) },
    update: {},
    select: { id: true },
  });
  const merchantId = merchant.id;
  await db.branch.createMany({
    data: [{ ...branch, id: fixedId("pending branch"), merchantId }],
    skipDuplicates: true,
  });
  await db.user.createMany({
    data: [
      {
        ...staff(owner),
        merchantId,
        role: "merchant_owner",
        passwordHash: await hashPassword(DEMO_PASSWORD),
      },
    ],
    skipDuplicates: true,
  });
}

/**
 * The demo: accounts (password DEMO_PASSWORD), two approved merchants with customers (one of whom
 * deleted the card and gave points up) and 60 days of movements, a pending one. Repeating it changes nothing. Throws when APP_ENV is production.
 */
export async function seedDemo(db: Db, appEnv = env().APP_ENV): Promise<void> {
  if (appEnv === "production") throw new Error("The demo seed is not for a production database.");
  await seedAdministrators(db);
  const { id } = await db.user.findUniqueOrThrow({
    where: { email: ADMINISTRATORS[0].email },
    select: { id: true },
  });
  for (const house of HOUSES) {
    const seeded = await seedHouse(db, house, id);
    await seedImage(db, house, seeded);
    await seedDays(db, house, seeded);
  }
  await seedPending(db);
}
