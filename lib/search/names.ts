import { z } from "zod";
import { same } from "@/lib/calls/names";
import { shownIdSchema } from "@/lib/domain/customer-id";
import type { PanelHits } from "@/lib/domain/panel-search";

const panelSearchQuery = same("search");

const place = { _id: z.string(), sName: z.string(), sDetail: z.string().nullable() };
const nameAr = { sBusinessNameAr: z.string().nullable() };
const ofMerchant = { ...place, sBusinessName: z.string(), ...nameAr };

type Place = { id: string; name: string; detail: string | null };
const toPlace = ({ id, name, detail }: Place) => ({ _id: id, sName: name, sDetail: detail });
const toOfMerchant = (hit: Place & { merchantName: string; merchantNameAr: string | null }) => ({
  ...toPlace(hit),
  sBusinessName: hit.merchantName,
  sBusinessNameAr: hit.merchantNameAr,
});

/** The hits of each kind, without those that the caller's role does not read. */
const panelSearchReply = {
  schema: z.object({
    customers: z.array(z.object({ ...ofMerchant, _id: shownIdSchema, sUUID: z.string() })),
    transactions: z.array(
      z.object({
        _id: z.string(),
        eType: z.string(),
        sPoints: z.number().int(),
        sSaleRef: z.string().nullable(),
        sName: z.string(),
        dCreatedAt: z.iso.datetime(),
      }),
    ),
    branches: z.array(z.object(ofMerchant)),
    workers: z.array(z.object(ofMerchant)),
    merchants: z.array(z.object({ ...place, ...nameAr })),
  }),
  from: (hits: PanelHits) => ({
    customers: hits.customers.map((hit) => ({ ...toOfMerchant(hit), _id: hit.id, sUUID: hit.publicId })),
    transactions: hits.transactions.map((hit) => ({
      _id: hit.id,
      eType: hit.type,
      sPoints: hit.points,
      sSaleRef: hit.saleRef,
      sName: hit.name,
      dCreatedAt: hit.createdAt.toISOString(),
    })),
    branches: hits.branches.map(toOfMerchant),
    workers: hits.workers.map(toOfMerchant),
    merchants: hits.merchants.map((hit) => ({ ...toPlace(hit), sBusinessNameAr: hit.merchantNameAr })),
  }),
};

/** The calls of the search, as both sides know them. */
export const searchCalls = {
  searchPanel: { method: "GET", path: "search", query: panelSearchQuery, reply: panelSearchReply },
} as const;
