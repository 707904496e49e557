import type { Role } from "@/lib/domain/roles";

/** The page of a path: the last part of the catalogue keys `panels.titles.<key>` and `panels.subtitles.<key>`. */
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
  | "ledger"
  | "liability"
  | "activity"
  | "account"
  | "workers"
  | "branches"
  | "settings"
  | "tills"
  | "shifts"
  | "shift"
  | "offlineEntries"
  | "accountStatus"
  | "administrators"
  | "notices";

// A Map, because the key comes from a URL and every object has a "constructor".
const BY_SEGMENT: ReadonlyMap<string, TitleKey> = new Map([
  ["dashboard", "dashboard"],
  ["customers", "customers"],
  ["merchants", "merchants"],
  ["outlets", "outlets"],
  ["points-config", "pointsConfig"],
  ["topup", "topup"],
  ["redeem", "redeem"],
  ["transactions", "transactions"],
  ["ledger", "ledger"],
  ["liability", "liability"],
  ["activity", "activity"],
  ["account", "account"],
  ["workers", "workers"],
  ["branches", "branches"],
  ["settings", "settings"],
  ["tills", "tills"],
  ["shifts", "shifts"],
  ["shift", "shift"],
  ["offline", "offlineEntries"],
  ["account-status", "accountStatus"],
  ["administrators", "administrators"],
  ["notices", "notices"],
]);

/** The title of a path for a role. Subpages have the title of their page; an unknown path answers null. */
export function titleOf(role: Role, path: string): TitleKey | null {
  const [first = "", second = ""] = path.split("/").filter(Boolean);
  const key = BY_SEGMENT.get(second) ?? BY_SEGMENT.get(first) ?? null;
  return key === "pointsConfig" && role !== "super_admin" ? "cashConfig" : key;
}
