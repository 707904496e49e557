import { z } from "zod";
import type { ShownId } from "@/lib/customers/model/customer-id";
import { PANELS } from "@/lib/domain/panels";
import type { Role } from "@/lib/domain/roles";
import type { MovementType } from "@/lib/ledger/model/movements";

/** The most hits of one kind. */
export const MOST_HITS = 5;

export const panelSearchSchema = z.object({
  search: z.string().trim().max(100, "validation.tooLong").default(""),
});

/** The results of a panel's search. `detail` distinguishes records with the same name. */
export type PanelHits = {
  customers: {
    id: ShownId;
    publicId: string;
    name: string;
    detail: string | null;
    merchantName: string;
    merchantNameAr: string | null;
  }[];
  branches: {
    id: string;
    name: string;
    detail: string;
    merchantName: string;
    merchantNameAr: string | null;
  }[];
  workers: {
    id: string;
    name: string;
    detail: string;
    merchantName: string;
    merchantNameAr: string | null;
  }[];
  merchants: { id: string; name: string; detail: string; merchantNameAr: string | null }[];
  /** By the number of a receipt or by the shop's own bill number. Points are signed. */
  transactions: {
    id: string;
    type: MovementType;
    points: number;
    saleRef: string | null;
    name: string;
    createdAt: Date;
  }[];
};
export type HitKind = keyof PanelHits;
export const HIT_KINDS = ["customers", "transactions", "branches", "workers", "merchants"] as const;

/** The page that a hit leads to in the panel of a role. */
export function hitPath(
  role: Role,
  kind: HitKind,
  hit: { id: string; publicId?: string; name: string },
): string {
  const base = `/${PANELS[role].segment}`;
  const named = `?search=${encodeURIComponent(hit.name)}`;
  switch (kind) {
    case "customers":
      return role === "branch_worker" ? `/topup/${hit.publicId}` : `${base}/customers/${hit.id}`;
    case "transactions":
      return `${base}/transactions/${hit.id}`;
    case "merchants":
      return `${base}/merchants/${hit.id}`;
    case "workers":
      return `${base}/workers${named}`;
    case "branches":
      return `${base}/${role === "super_admin" ? "outlets" : "branches"}${named}`;
  }
}
