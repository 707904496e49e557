import type { ShownId } from "@/lib/customers/model/customer-id";
import type { MovementType } from "@/lib/ledger/model/movements";

/** Shorter search terms find nothing at the counter and are ignored in lists. */
export const MIN_SEARCH_LENGTH = 3;

/** A record that the search found. `detail` distinguishes records with the same name. */
export type FoundPlace = {
  id: string;
  name: string;
  detail: string | null;
  merchantName: string;
  merchantNameAr: string | null;
};

/** The results of a panel's search. */
export type PanelHits = {
  customers: (FoundPlace & { id: ShownId; publicId: string })[];
  branches: FoundPlace[];
  workers: FoundPlace[];
  merchants: Omit<FoundPlace, "merchantName">[];
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
