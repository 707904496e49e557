import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { newCustomerCode } from "@/lib/customers/model/customer-code";
import type { Db } from "@/lib/db/client";
import { type Context, type PublicContext, systemClock } from "@/lib/db/context";
import type { Branch, Customer, Merchant, Prisma, User } from "@/lib/db/generated/client";
import type { ApiKeyActor, UserActor } from "@/lib/domain/actor";
import { KEY_SCOPES } from "@/lib/domain/key-scopes";

/** The password of all accounts that the factories create. */
export const PASSWORD = "demo-wallet-2026";
/** The argon2id hash of PASSWORD, with the program's own cost; made once, since each takes as long as a page. */
export const PASSWORD_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$QWrz5oCJXss0PtsA9qTNeg$vZudsaZ3bJOKoyR0QZ/fy9cT6e6svktzVcDsR+cGJYU";

/** A new e-mail address that starts with `name`. */
export function uniqueEmail(name = "someone"): string {
  return `${name}.${randomBytes(6).toString("hex")}@example.test`;
}

/** A Qatar mobile number in stored form. */
export function randomPhone(): string {
  return `+974${randomInt(30_000_000, 79_999_999)}`;
}

export type MerchantFixture = { merchant: Merchant; owner: User; branch: Branch };

/** An approved merchant with its owner and one branch. */
export async function makeMerchant(
  db: Db,
  overrides: Partial<Prisma.MerchantUncheckedCreateInput> = {},
): Promise<MerchantFixture> {
  const merchant = await db.merchant.create({
    data: {
      // Hexadecimal of eight characters, because tests take six digits in an e-mail for a code.
      businessName: `Karak ${randomBytes(4).toString("hex")}`,
      firstName: "Noor",
      lastName: "Al Thani",
      email: uniqueEmail("shop"),
      phone: randomPhone(),
      status: "approved",
      ...overrides,
    },
  });
  const [owner, branch] = await Promise.all([
    makeUser(db, { role: "merchant_owner", merchantId: merchant.id, firstName: "Noor" }),
    makeBranch(db, { merchant }),
  ]);
  return { merchant, owner, branch };
}

export function makeBranch(
  db: Db,
  shop: Pick<MerchantFixture, "merchant">,
  overrides: Partial<Prisma.BranchUncheckedCreateInput> = {},
): Promise<Branch> {
  const name = `Branch ${randomBytes(4).toString("hex")}`;
  return db.branch.create({ data: { merchantId: shop.merchant.id, name, city: "Doha", ...overrides } });
}

/** An active worker of the fixture's branch. */
export function makeWorker(
  db: Db,
  shop: Pick<MerchantFixture, "merchant" | "branch">,
  overrides: Partial<Prisma.UserUncheckedCreateInput> = {},
): Promise<User> {
  const home = { merchantId: shop.merchant.id, branchId: shop.branch.id };
  return makeUser(db, { role: "branch_worker", ...home, firstName: "Ravi", ...overrides });
}

/** A super_admin, or another role by `overrides.role`. */
export function makeAdmin(db: Db, overrides: Partial<Prisma.UserUncheckedCreateInput> = {}): Promise<User> {
  // Old enough to approve what another administrator asks for.
  const createdAt = new Date(Date.now() - 4 * 86_400_000);
  return makeUser(db, { role: "super_admin", firstName: "Sara", createdAt, ...overrides });
}

async function makeUser(
  db: Db,
  data: Partial<Prisma.UserUncheckedCreateInput> & Pick<Prisma.UserUncheckedCreateInput, "role">,
): Promise<User> {
  return db.user.create({
    data: {
      email: uniqueEmail(data.role),
      firstName: "Sam",
      lastName: "Haddad",
      phone: randomPhone(),
      passwordHash: PASSWORD_HASH,
      ...data,
    },
  });
}

/** An active customer with balance 0, with a code that no other card of the merchant has. */
export async function makeCustomer(
  db: Db,
  shop: { merchant: Pick<Merchant, "id"> },
  overrides: Partial<Prisma.CustomerUncheckedCreateInput> = {},
): Promise<Customer> {
  const data = {
    merchantId: shop.merchant.id,
    code: newCustomerCode(),
    fullName: "Layla Haddad",
    email: uniqueEmail("layla"),
    phone: randomPhone(),
    dateOfBirth: new Date("1995-04-12"),
    ...overrides,
  };
  const [made] = await db.customer.createManyAndReturn({
    data,
    skipDuplicates: overrides.code === undefined,
  });
  return made ?? makeCustomer(db, shop, overrides);
}

type ContextOverrides = Partial<Omit<Context, "actor">> & { actor?: Partial<UserActor> };

/** The context of a request by this user. The merchant is approved unless `overrides.actor` changes it. */
export function contextOf(db: Db, user: User, overrides: ContextOverrides = {}): Context {
  const { actor, ...rest } = overrides;
  return {
    db,
    clock: systemClock,
    locale: "en",
    address: "127.0.0.1",
    requestId: randomUUID(),
    ...rest,
    actor: {
      type: "user",
      userId: user.id,
      role: user.role,
      email: user.email,
      phone: user.phone,
      firstName: user.firstName,
      lastName: user.lastName,
      locale: null,
      merchantId: user.merchantId,
      merchantStatus: user.merchantId ? "approved" : null,
      merchantStatusReason: null,
      merchantSuspension: null,
      merchantTenders: null,
      merchantFace: null,
      branchId: user.branchId,
      sessionId: randomUUID(),
      handle: randomUUID(),
      panel: false,
      secondFactor: false,
      factorRequired: false,
      steppedUpUntil: null,
      tillId: null,
      ...actor,
    },
  };
}

/** The context of a request without a session. */
export function publicContext(db: Db, overrides: Partial<Omit<PublicContext, "actor">> = {}): Context<null> {
  return {
    actor: null,
    db,
    clock: systemClock,
    locale: "en",
    address: "127.0.0.1",
    requestId: randomUUID(),
    ...overrides,
  };
}

/** The context of a request with a new API key of the shop, which has all scopes unless `data` names some. */
export async function apiKeyContext(
  db: Db,
  { merchant, owner }: MerchantFixture,
  data: Partial<Prisma.ApiKeyUncheckedCreateInput> = {},
): Promise<Context<ApiKeyActor>> {
  const key = await db.apiKey.create({
    data: {
      merchantId: merchant.id,
      name: "Web shop",
      scopes: [...KEY_SCOPES],
      createdById: owner.id,
      ...data,
    },
  });
  return {
    ...publicContext(db),
    actor: {
      type: "apiKey",
      keyId: key.id,
      name: key.name,
      scopes: KEY_SCOPES.filter((scope) => key.scopes.includes(scope)),
      branchId: key.branchId,
      merchantId: merchant.id,
      merchantStatus: "approved",
      merchantStatusReason: null,
      merchantSuspension: null,
    },
  };
}
