import { isKnownPath, isPathUnder, isPrivatePath, SIGNED_OUT_PATHS } from "./paths";
import { type Permission, scopeOf } from "./policy";
import type { Role } from "./roles";

type MenuHead = "team" | "counter" | "money" | "shop";
const entry = <const Key extends string>(key: Key, href: string, head?: MenuHead) => ({
  key,
  href,
  ...(head && { head }),
});

const menus = {
  super_admin: [
    entry("dashboard", "/admin/dashboard"),
    entry("customersManagement", "/admin/customers"),
    entry("merchantsManagement", "/admin/merchants"),
    entry("pointsConfiguration", "/admin/points-config"),
    entry("outletsManagement", "/admin/outlets"),
    entry("topup", "/admin/topup"),
    entry("redeem", "/admin/redeem"),
    entry("transactions", "/admin/transactions"),
    entry("liability", "/admin/liability"),
    entry("checkLedger", "/admin/ledger"),
    entry("settings", "/admin/settings"),
    entry("workersManagement", "/admin/workers"),
    entry("activity", "/admin/activity"),
    entry("administrators", "/admin/administrators"),
    entry("myAccount", "/admin/account"),
  ],
  admin: [
    entry("dashboard", "/admin/dashboard"),
    entry("merchantsManagement", "/admin/merchants"),
    entry("cashConfiguration", "/admin/points-config"),
    entry("activity", "/admin/activity"),
    entry("myAccount", "/admin/account"),
  ],
  merchant_owner: [
    entry("dashboard", "/merchant/dashboard"),
    entry("workersManagement", "/merchant/workers", "team"),
    entry("branchesManagement", "/merchant/branches"),
    entry("tills", "/merchant/tills"),
    entry("shifts", "/merchant/shifts"),
    entry("offlineEntries", "/merchant/offline"),
    entry("customers", "/merchant/customers", "counter"),
    entry("topup", "/merchant/topup"),
    entry("redeem", "/merchant/redeem"),
    entry("transactionLogs", "/merchant/transactions", "money"),
    entry("cashConfiguration", "/merchant/points-config"),
    entry("liability", "/merchant/liability"),
    entry("checkLedger", "/merchant/ledger"),
    entry("settings", "/merchant/settings", "shop"),
    entry("activity", "/merchant/activity"),
    entry("myAccount", "/merchant/account"),
  ],
  branch_worker: [
    entry("topup", "/employee/topup"),
    entry("redeem", "/employee/redeem"),
    entry("shift", "/employee/shift"),
    entry("dashboard", "/employee/dashboard"),
    entry("transactions", "/employee/transactions"),
    entry("myAccount", "/employee/account"),
  ],
};
export type MenuKey = (typeof menus)[Role][number]["key"];
/** `key` selects the text (`panels.menu.<key>`) and the icon. `head` (`panels.heads.<head>`) begins a part of the menu. */
export type MenuEntry = { key: MenuKey; href: string; head?: MenuHead };
/** A quick action of a dashboard: its text is `panels.tiles.<key>`, its icon that of the menu entry. */
type Tile = { key: MenuKey; href: string; needs: Permission };
export type Panel = {
  segment: "admin" | "merchant" | "employee";
  theme: "red" | "blue";
  /** The redirect target of "/". */
  root: string;
  dashboard: string;
  /** The page after a top-up. */
  topup: string;
  menu: readonly MenuEntry[];
  /** The entries of the bar of a phone; absent where it has all of the menu, or there is none. */
  bar?: readonly MenuKey[];
  tiles: readonly Tile[];
};

const adminTiles: Tile[] = [
  { key: "outletsManagement", href: "/admin/outlets", needs: "outlets.manage" },
  { key: "merchantsManagement", href: "/admin/merchants", needs: "merchants.read" },
  { key: "transactionLogs", href: "/admin/transactions", needs: "movements.read" },
  { key: "cashConfiguration", href: "/admin/points-config", needs: "config.read" },
];

const panelOf = (segment: Panel["segment"]) => ({
  segment,
  root: `/${segment}/dashboard`,
  dashboard: `/${segment}/dashboard`,
  topup: `/${segment}/topup`,
});

export const PANELS: Record<Role, Panel> = {
  super_admin: { ...panelOf("admin"), theme: "red", menu: menus.super_admin, tiles: adminTiles },
  admin: {
    ...panelOf("admin"),
    theme: "red",
    topup: "/",
    menu: menus.admin,
    tiles: adminTiles.filter((tile) => scopeOf("admin", tile.needs) !== null),
  },
  merchant_owner: {
    ...panelOf("merchant"),
    theme: "blue",
    menu: menus.merchant_owner,
    bar: ["dashboard", "customers", "topup", "transactionLogs"],
    tiles: [
      { key: "branchesManagement", href: "/merchant/branches", needs: "branches.manage" },
      { key: "workersManagement", href: "/merchant/workers", needs: "workers.manage" },
      { key: "transactionLogs", href: "/merchant/transactions", needs: "movements.read" },
      { key: "cashConfiguration", href: "/merchant/points-config", needs: "config.read" },
    ],
  },
  branch_worker: {
    ...panelOf("employee"),
    theme: "blue",
    root: "/employee/account",
    menu: menus.branch_worker,
    bar: ["topup", "redeem", "shift", "dashboard", "myAccount"],
    tiles: [],
  },
};

/** The redirect target of "/" for a signed-in user of this role. */
export function homePath(role: Role): string {
  return PANELS[role].root;
}

/** The path after a sign-in that asked for `wanted`: that one if the role may open it, else the role's home. */
export function landingPath(role: Role, wanted: string | null): string {
  const path = wanted?.split(/[?#]/)[0] ?? "/";
  const closed = SIGNED_OUT_PATHS.some((prefix) => isPathUnder(path, prefix)) || !isKnownPath(path);
  if (wanted === null || path === "/" || closed) return homePath(role);
  if (["/account-status", "/account-security"].some((own) => isPathUnder(path, own))) return wanted;
  return isPrivatePath(path) && !canOpenPath(role, path) ? homePath(role) : wanted;
}

/** The page of a role's notices, which the bell opens; null for a role without. */
export function noticesPath(role: Role): string | null {
  return scopeOf(role, "notices.read") === null ? null : `/${PANELS[role].segment}/notices`;
}

/** Whether a role may open a path: the paths of its menu, its dashboard and its notices, with everything below them. */
export function canOpenPath(role: Role, path: string): boolean {
  const { menu, dashboard } = PANELS[role];
  const notices = noticesPath(role);
  const allowed = [...menu.map((item) => item.href), dashboard, ...(notices ? [notices] : [])];
  return allowed.some((href) => isPathUnder(path, href));
}
