import { createHash } from "node:crypto";
import sharp from "sharp";
import { hashPassword } from "@/lib/accounts/password";
import { newCustomerCode } from "@/lib/customers/model/customer-code";
import type { Db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { importImage } from "@/lib/files/attach";
import { seedMovements } from "./seed/movements";
import { ADMINISTRATORS, DEMO_MERCHANTS, DEMO_PASSWORD, type DemoMerchant, PENDING } from "./seed/people";
import { cardAge } from "./seed/plan";

const CUP = `<path d="M-92-70h184l-18 150a44 44 0 0 1-44 38h-60a44 44 0 0 1-44-38z"/>
  <path d="M84-40h26a44 44 0 0 1 0 88H74" fill="none" stroke-width="18"/>
  <path d="M-40-104c-22-26 22-40 0-70M10-104c-22-26 22-40 0-70M60-104c-22-26 22-40 0-70" fill="none" stroke-width="12" stroke-linecap="round"/>`;
const BOOK = `<path d="M0-70c-40-30-100-34-150-24v150c50-10 110-6 150 24 40-30 100-34 150-24V-94C100-104 40-100 0-70z"/>
  <path d="M0-70V80" stroke-width="8" stroke-opacity=".45"/>`;

/** Rings like the marks of a cup on a table, the same in every run. */
function rings(accent: string): string {
  const places = [
    [140, 610, 210],
    [330, 90, 120],
    [1060, 690, 260],
    [760, 40, 90],
    [560, 700, 70],
  ];
  return places
    .map(
      ([x, y, r]) =>
        `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${accent}" stroke-opacity=".16" stroke-width="26"/>`,
    )
    .join("");
}

function drawBusinessImage({ image: { from, to, accent, sign } }: DemoMerchant): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="756">
    <defs>
      <linearGradient id="ground" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/>
      </linearGradient>
      <radialGradient id="light" cx=".82" cy=".12" r=".9">
        <stop offset="0" stop-color="#fff" stop-opacity=".28"/><stop offset="1" stop-color="#fff" stop-opacity="0"/>
      </radialGradient>
    </defs>
    <rect width="100%" height="100%" fill="url(#ground)"/>
    ${rings(accent)}
    <rect width="100%" height="100%" fill="url(#light)"/>
    <g transform="translate(920 330) scale(1.5)" fill="${accent}" fill-opacity=".5" stroke="${accent}" stroke-opacity=".5">
      ${sign === "cup" ? CUP : BOOK}
    </g>
  </svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

function drawLogo({ image: { sign } }: DemoMerchant, colour: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512">
    <circle cx="256" cy="256" r="232" fill="none" stroke="${colour}" stroke-width="20"/>
    <g transform="translate(244 276) scale(1.18)" fill="${colour}" stroke="${colour}">
      ${sign === "cup" ? CUP : BOOK}
    </g>
  </svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** How many days before the first seed the demo's merchants opened. Later runs count from their createdAt. */
const OPEN_DAYS = 320;
const DAY = 86_400_000;

/** An id that is the same in every run, for rows without a unique text. Not for active customers: their ids are secret. */
function stableId(name: string): string {
  const hex = createHash("sha256").update(`loyalty-wallet demo ${name}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const branchIdOf = (demo: DemoMerchant, index: number): string => stableId(`${demo.key} branch ${index}`);

async function seedAdministrators(db: Db): Promise<void> {
  const password = await hashPassword(DEMO_PASSWORD);
  await db.user.createMany({
    // As old as the shops: an administrator approves changes only 72 hours after the account became active.
    data: ADMINISTRATORS.map((person) => ({
      ...person,
      passwordHash: password,
      createdAt: new Date(Date.now() - OPEN_DAYS * DAY),
    })),
    skipDuplicates: true,
  });
}

async function picturesOf(db: Db, demo: DemoMerchant) {
  const store = async (png: Buffer) => importImage(db, png, "image/png");
  return {
    imageKey: await store(await drawBusinessImage(demo)),
    posterAt: new Date(),
    logoKey: demo.colour ? await store(await drawLogo(demo, demo.colour)) : null,
  };
}

type Seeded = { merchantId: string; until: Date };

/** Seeds a merchant's staff, branches and customers. Answers its id and the time at which its sixty days end. */
async function seedMerchant(db: Db, demo: DemoMerchant, decidedById: string): Promise<Seeded> {
  const password = await hashPassword(DEMO_PASSWORD);
  const opened = new Date(Date.now() - OPEN_DAYS * DAY);
  const { owner, businessName, businessNameAr, colour } = demo;
  const select = { id: true, createdAt: true } as const;
  const known = await db.merchant.findUnique({ where: { email: owner.email }, select });
  const decided = { status: "approved", decidedAt: opened, decidedById, createdAt: opened } as const;
  const data = { ...owner, businessName, businessNameAr, colour, ...decided };
  const merchant =
    known ?? (await db.merchant.create({ data: { ...data, ...(await picturesOf(db, demo)) }, select }));
  const until = new Date(merchant.createdAt.getTime() + OPEN_DAYS * DAY);
  const userDefaults = { merchantId: merchant.id, passwordHash: password, createdAt: merchant.createdAt };
  await db.branch.createMany({
    data: demo.branches.map((branch, index) => ({
      ...branch,
      id: branchIdOf(demo, index),
      merchantId: merchant.id,
      createdAt: merchant.createdAt,
    })),
    skipDuplicates: true,
  });
  await db.user.createMany({
    data: [
      { ...demo.owner, ...userDefaults, role: "merchant_owner" },
      ...demo.workers.map(({ branch, ...worker }) => ({
        ...worker,
        ...userDefaults,
        role: "branch_worker" as const,
        branchId: branchIdOf(demo, branch),
      })),
    ],
    skipDuplicates: true,
  });
  await db.customer.createMany({
    data: demo.customers.map((customer, index) => ({
      ...customer,
      code: newCustomerCode(),
      merchantId: merchant.id,
      phone: `+9743${demo.key === "karak" ? 3 : 6}${String(100_207 + index * 7_919).padStart(6, "0")}`,
      dateOfBirth: new Date(
        Date.UTC(1968 + ((index * 11 + 26) % 38), (index * 5) % 12, 1 + ((index * 13) % 27)),
      ),
      registeredAt: new Date(until.getTime() - cardAge(index) * DAY),
      consentAt: new Date(until.getTime() - cardAge(index) * DAY),
    })),
    skipDuplicates: true,
  });
  return { merchantId: merchant.id, until };
}

async function seedMovementsOf(db: Db, demo: DemoMerchant, { merchantId, until }: Seeded): Promise<void> {
  const [customers, people] = await Promise.all([
    db.customer.findMany({ where: { merchantId }, select: { id: true, email: true } }),
    db.user.findMany({ where: { merchantId }, select: { id: true, email: true } }),
  ]);
  const idByEmail = new Map([...customers, ...people].map(({ id, email }) => [email, id]));
  const idOf = ({ email }: { email: string }) => idByEmail.get(email) ?? "";
  const ids = {
    merchant: merchantId,
    customers: demo.customers.map(idOf),
    branches: demo.branches.map((_, index) => branchIdOf(demo, index)),
    workers: demo.workers.map(idOf),
    owner: idOf(demo.owner),
    till: demo.till ? { id: stableId(`${demo.key} till`), name: demo.till } : null,
    erased: demo.erased ? stableId(`${demo.key} erased customer`) : null,
  };
  await seedMovements(db, demo, ids, until);
}

async function seedPendingMerchant(db: Db): Promise<void> {
  const { owner, businessName, branch } = PENDING;
  const { id: merchantId } = await db.merchant.upsert({
    where: { email: owner.email },
    create: { ...owner, businessName, createdAt: new Date(Date.now() - DAY) },
    update: {},
    select: { id: true },
  });
  await db.branch.createMany({
    data: [{ ...branch, id: stableId("pending branch"), merchantId }],
    skipDuplicates: true,
  });
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  await db.user.createMany({
    data: [{ ...owner, merchantId, role: "merchant_owner", passwordHash }],
    skipDuplicates: true,
  });
}

/**
 * Seeds the demo: accounts with DEMO_PASSWORD, two approved merchants with customers (one of whom deleted the card and
 * gave points up) and 60 days of movements, shifts of a till, and a pending merchant. Repeating it changes nothing.
 * Throws an Error if `appEnv` is production.
 */
export async function seedDemo(db: Db, appEnv = env().APP_ENV): Promise<void> {
  if (appEnv === "production") throw new Error("The demo seed is not for a production database.");
  await seedAdministrators(db);
  const { id } = await db.user.findUniqueOrThrow({
    where: { email: ADMINISTRATORS[0].email },
    select: { id: true },
  });
  for (const demo of DEMO_MERCHANTS) {
    const seeded = await seedMerchant(db, demo, id);
    await seedMovementsOf(db, demo, seeded);
  }
  await seedPendingMerchant(db);
}
