import { z } from "zod";
import { isId } from "./ids";
import { parsePoints } from "./money";

/** What a `/topup` link may tell of a customer whom the database did not: shown, never trusted. */
export type QueryCustomer = {
  fullName: string | null;
  email: string | null;
  phone: string | null;
  balance: number;
};

const text = z.string().trim().min(1).max(254);
const points = z.union([z.number(), z.string().max(20)]);
const shape = z.object({
  sFullName: text.optional().catch(undefined),
  fullName: text.optional().catch(undefined),
  sEmail: text.optional().catch(undefined),
  email: text.optional().catch(undefined),
  sPhoneNumber: text.optional().catch(undefined),
  phoneNumber: text.optional().catch(undefined),
  sBalance: points.optional().catch(undefined),
  walletBalance: points.optional().catch(undefined),
  points: points.optional().catch(undefined),
});

/** Reads the `customer` query's JSON, under the specification's names and their alternatives; null when it is none. */
export function readQueryCustomer(value: unknown): QueryCustomer | null {
  if (typeof value !== "string" || value.length > 4000) return null;
  let json: unknown;
  try {
    json = JSON.parse(value);
  } catch {
    return null;
  }
  const parsed = shape.safeParse(json);
  if (!parsed.success) return null;
  const { data } = parsed;
  const balance = parsePoints(data.sBalance ?? data.walletBalance ?? data.points);
  return {
    fullName: data.sFullName ?? data.fullName ?? null,
    email: data.sEmail ?? data.email ?? null,
    phone: data.sPhoneNumber ?? data.phoneNumber ?? null,
    balance: balance.ok ? balance.points : 0,
  };
}

export type TopupQuery = Partial<
  Record<"customerId" | "adminId" | "customer" | "src" | "code", string | string[]>
>;

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** What a `/topup` link asks for: the query's customer id goes before the path's. */
export function readTopupLink(path: string[] | undefined, query: TopupQuery) {
  const raw = one(query.customerId)?.trim() || path?.[0]?.trim() || null;
  const adminId = one(query.adminId);
  const source = one(query.src);
  return {
    customerId: raw?.slice(0, 100) ?? null,
    adminId: isId(adminId) ? adminId : null,
    told: readQueryCustomer(one(query.customer)),
    source: source === "apple" || source === "google" ? source : null,
    liveCode: one(query.code)?.slice(0, 200) || null,
  } as const;
}
