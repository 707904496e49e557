import type { Permission } from "./policy";
import { scopeOf } from "./policy";
import type { Role } from "./roles";

/** An entry of a panel: `key` names its text (`panels.menu.<key>`), its lucide icon and its route. */
export type MenuEntry = { key: MenuKey; href: string };
export type MenuKey =
  | "dashboard"
  | "customersManagement"
  | "merchantsManagement"
  | "pointsConfiguration"
  | "cashConfiguration"
  | "outletsManagement"
  | "topup"
  | "redeem"
  | "transactions"
  | "transactionLogs"
  | "checkLedger"
  | "myAccount"
  | "workersManagement"
  | "branchesManagement"
  | "customers";
export type Tile = {
  key:
    | "manageBranches"
    | "manageWorkers"
    | "transactionLogs"
    | "pointsConfig"
    | "manageOutlets"
    | "manageMerchants";
  href: string;
  needs: Permission;
};
export type Panel = {
  segment: "admin" | "merchant" | "employee";
  theme: "red" | "blue";
  /** Where the root leads. */
  root: string;
  /** Where "Back to Dashboard" leads. */
  dashboard: string;
  /** Where a top-up ends. */
  topup: string;
  menu: readonly MenuEntry[];
  tiles: readonly Tile[];
};

const e = (key: MenuKey, href: string): MenuEntry => ({ key, href });
const adminTiles: Tile[] = [
  { key: "manageOutlets", href: "/admin/outlets", needs: "outlets.manage" },
  { key: "manageMerchants", href: "/admin/merchants", needs: "merchants.read" },
  { key: "transactionLogs", href: "/admin/transactions", needs: "movements.read" },
  { key: "pointsConfig", href: "/admin/points-config", needs: "config.read" },
];

/** Root, home, theme and menu of each role: sidebar, middleware and root redirect all read this. */
export const PANELS: Record<Role, Panel> = {
  super_admin: {
    segment: "admin",
    theme: "red",
    root: "/admin/dashboard",
    dashboard: "/admin/dashboard",
    topup: "/admin/topup",
    menu: [
      e("dashboard", "/admin/dashboard"),
      e("customersManagement", "/admin/customers"),
      e("merchantsManagement", "/admin/merchants"),
      e("pointsConfiguration", "/admin/points-config"),
      e("outletsManagement", "/admin/outlets"),
      e("topup", "/admin/topup"),
      e("redeem", "/admin/redeem"),
      e("transactions", "/admin/transactions"),
      e("checkLedger", "/admin/ledger"),
      e("myAccount", "/admin/account"),
    ],
    tiles: adminTiles,
  },
  admin: {
    segment: "admin",
    theme: "red",
    root: "/admin/dashboard",
    dashboard: "/admin/dashboard",
    topup: "/",
    menu: [
      e("dashboard", "/admin/dashboard"),
      e("merchantsManagement", "/admin/merchants"),
      e("cashConfiguration", "/admin/points-config"),
      e("myAccount", "/admin/account"),
    ],
    tiles: adminTiles.filter((tile) => scopeOf("admin", tile.needs) !== null),
  },
  merchant_owner: {
    segment: "merchant",
    theme: "blue",
    root: "/merchant/dashboard",
    dashboard: "/merchant/dashboard",
    topup: "/merchant/topup",
    menu: [
      e("dashboard", "/merchant/dashboard"),
      e("workersManagement", "/merchant/workers"),
      e("branchesManagement", "/merchant/branches"),
      e("customers", "/merchant/customers"),
      e("topup", "/merchant/topup"),
      e("redeem", "/merchant/redeem"),
      e("transactionLogs", "/merchant/transactions"),
      e("cashConfiguration", "/merchant/points-config"),
      e("checkLedger", "/merchant/ledger"),
      e("myAccount", "/merchant/account"),
    ],
    tiles: [
      { key: "manageBranches", href: "/merchant/branches", needs: "branches.manage" },
      { key: "manageWorkers", href: "/merchant/workers", needs: "workers.manage" },
      { key: "transactionLogs", href: "/merchant/transactions", needs: "movements.read" },
      { key: "pointsConfig", href: "/merchant/points-config", needs: "config.read" },
    ],
  },
  branch_worker: {
    segment: "employee",
    theme: "blue",
    root: "/employee/account",
    dashboard: "/employee/dashboard",
    topup: "/employee/topup",
    menu: [
      e("topup", "/employee/topup"),
      e("redeem", "/employee/redeem"),
      e("myAccount", "/employee/account"),
    ],
    tiles: [],
  },
};

/** Where a signed-in role belongs when it opens the root. */
export function homeOf(role: Role): string {
  return PANELS[role].root;
}

/** Whether a role may open a path of a panel: its menu's paths and what lies below them, and its dashboard. */
export function mayOpen(role: Role, path: string): boolean {
  const own = [...PANELS[role].menu.map((entry) => entry.href), PANELS[role].dashboard];
  return own.some((href) => path === href || path.startsWith(`${href}/`));
}
