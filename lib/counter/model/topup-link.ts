import { z } from "zod";
import { isId } from "@/lib/domain/is-id";
import { parsePoints } from "@/lib/domain/money";
import { PANELS } from "@/lib/domain/panels";

/** Customer data from a `/topup` link, for display only. It is not trusted. */
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

/** Parses the JSON of the `customer` query, by the specification's names and alternatives; null when invalid. */
export function parseQueryCustomer(value: unknown): QueryCustomer | null {
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

const firstOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** Parses a `/topup` link. The customer id of the query takes precedence over the one of the path. */
export function parseTopupLink(path: string[] | undefined, query: TopupQuery) {
  const raw = firstOf(query.customerId)?.trim() || path?.[0]?.trim() || null;
  const adminId = firstOf(query.adminId)?.trim();
  const source = firstOf(query.src);
  return {
    customerId: raw?.slice(0, 100) ?? null,
    adminId: isId(adminId) ? adminId.toLowerCase() : null,
    prefill: parseQueryCustomer(firstOf(query.customer)),
    source: source === "apple" || source === "google" ? source : null,
    liveCode: firstOf(query.code)?.slice(0, 200) || null,
  } as const;
}

/** The counter of a till, which opens this customer. */
export const tillCounterPath = (customerId: string | null): string =>
  `${PANELS.branch_worker.topup}${customerId ? `?${new URLSearchParams({ customerId })}` : ""}`;
