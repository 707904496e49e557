import type { Role } from "@/lib/domain/roles";

/** The page a panel's path belongs to: the last part of its catalogue keys `panels.titles.<key>` and `panels.subtitles.<key>`. */
export type TitleKey =
  | "dashboard"
  | "customers"
  | "merchants"
  | "outlets"
  | "pointsConfig"
  | "cashConfig"
  | "topup"
  | "redeem"
  | "transactions"
  | "account"
  | "workers"
  | "branches"
  | "accountStatus";

const BY_SEGMENT: Record<string, TitleKey> = {
  dashboard: "dashboard",
  customers: "customers",
  merchants: "merchants",
  outlets: "outlets",
  "points-config": "pointsConfig",
  topup: "topup",
  redeem: "redeem",
  transactions: "transactions",
  account: "account",
  workers: "workers",
  branches: "branches",
  "account-status": "accountStatus",
};

/** The title of a path for a role: what lies below a page has that page's title. Null for a path of no panel. */
export function titleOf(role: Role, path: string): TitleKey | null {
  const [first = "", second = ""] = path.split("/").filter(Boolean);
  const key = BY_SEGMENT[second] ?? BY_SEGMENT[first] ?? null;
  return key === "pointsConfig" && role !== "super_admin" ? "cashConfig" : key;
}
