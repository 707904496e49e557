import {
  BuildingIcon,
  CirclePlusIcon,
  CircleUserIcon,
  CoinsIcon,
  GiftIcon,
  IdCardIcon,
  LayoutDashboardIcon,
  type LucideIcon,
  MapPinIcon,
  ReceiptTextIcon,
  StoreIcon,
  UsersIcon,
} from "lucide-react";
import type { MenuKey, Tile } from "@/lib/domain/panels";

/** The icon of each menu entry. */
export const MENU_ICONS: Record<MenuKey, LucideIcon> = {
  dashboard: LayoutDashboardIcon,
  customersManagement: UsersIcon,
  customers: UsersIcon,
  merchantsManagement: StoreIcon,
  pointsConfiguration: CoinsIcon,
  cashConfiguration: CoinsIcon,
  outletsManagement: BuildingIcon,
  topup: CirclePlusIcon,
  redeem: GiftIcon,
  transactions: ReceiptTextIcon,
  transactionLogs: ReceiptTextIcon,
  myAccount: CircleUserIcon,
  workersManagement: IdCardIcon,
  branchesManagement: MapPinIcon,
};

/** The icon of each quick-action tile. */
export const TILE_ICONS: Record<Tile["key"], LucideIcon> = {
  manageBranches: MapPinIcon,
  manageWorkers: IdCardIcon,
  transactionLogs: ReceiptTextIcon,
  pointsConfig: CoinsIcon,
  manageOutlets: BuildingIcon,
  manageMerchants: StoreIcon,
};
