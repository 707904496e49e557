import { z } from "zod";
import { byEmailSchema } from "@/lib/accounts/model/account";
import { Prisma } from "@/lib/db/generated/client";
import { type Key, nameKey, type Order, pageIds, pageOf, sortByIds, timeKey } from "@/lib/db/paging";
import { anyColumnContains, merchantChoices } from "@/lib/db/query";
import type { MerchantStatus } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema, idSchema, nothingSchema } from "@/lib/domain/ids";
import { BRANCH_REF, merchantName } from "@/lib/domain/localized-names";
import { compareByName, parseSort } from "@/lib/domain/paging";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import { SHOWN, toPendingProfile } from "./lookups";
import { type MERCHANT_SORTS, type MerchantsQuery, merchantsSchema } from "./model/merchant";
import type { MerchantDetail, MerchantSummary } from "./names";

const merchantSelect = {
  id: true,
  publicId: true,
  ...SHOWN,
  firstName: true,
  lastName: true,
  email: true,
  phone: true,
  status: true,
  statusReason: true,
  suspendedAt: true,
  suspensionReason: true,
  decidedAt: true,
  createdAt: true,
  applications: true,
  _count: { select: { branches: { where: { archivedAt: null } } } },
} as const;

const MAX_BRANCHES = 50;
const MAX_DOCUMENTS_SHOWN = 50;

/** One merchant with its documents and branches, for administrators. Throws merchant_not_found. */
export const getMerchant = operation({
  permission: "merchants.read",
  input: byIdSchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  run: async (ctx, input): Promise<MerchantDetail> => {
    const row = await ctx.db.merchant.findUnique({
      where: { id: input.id },
      select: {
        ...merchantSelect,
        _count: {
          select: {
            branches: { where: { archivedAt: null } },
            staff: { where: { role: "branch_worker", status: { not: "disabled" } } },
          },
        },
        profileVersion: true,
        appliedAgainAt: true,
        applicationNote: true,
        previousReason: true,
        profileChange: true,
        decidedBy: { select: { firstName: true, lastName: true } },
        documents: {
          where: { category: "document", attachedAt: { not: null } },
          orderBy: { id: "desc" },
          take: MAX_DOCUMENTS_SHOWN,
          select: { id: true, fileName: true, contentType: true, attachedAt: true, createdAt: true },
        },
        branches: {
          orderBy: [{ createdAt: "asc" }, { id: "asc" }],
          take: MAX_BRANCHES,
          select: { ...BRANCH_REF, city: true, archivedAt: true },
        },
      },
    });
    if (!row) throw new DomainError("merchant_not_found");
    const { decidedBy, documents, branches, profileChange, _count, ...own } = row;
    return {
      ...own,
      branches: _count.branches,
      workers: _count.staff,
      pendingProfile: profileChange && toPendingProfile(profileChange),
      decidedBy: decidedBy && `${decidedBy.firstName} ${decidedBy.lastName}`,
      documents: documents.map(({ attachedAt, createdAt, ...file }) => ({
        ...file,
        sentAt: attachedAt ?? createdAt,
      })),
      firstBranches: branches.map(({ archivedAt, ...one }) => ({ ...one, archived: archivedAt !== null })),
    };
  },
});

const KEYS: Record<(typeof MERCHANT_SORTS)[number], Key[]> = {
  received: [timeKey(Prisma.sql`m.created_at`)],
  name: [nameKey(Prisma.sql`m.business_name`)],
};
const NAMES = ["m.business_name", "m.business_name_ar", "m.first_name", "m.last_name"];
const SEARCHED = [...NAMES, "m.email", "m.phone"].map(Prisma.raw);

function conditions({ status, search }: MerchantsQuery): Prisma.Sql {
  // Each word must match some column: first and last name together, or a phone with spaces, find a merchant.
  const words = (search ?? "").split(/\s+/).filter(Boolean);
  return Prisma.join(
    [
      Prisma.sql`true`,
      ...(status ? [Prisma.sql`m.status = ${status}::"MerchantStatus"`] : []),
      ...words.map((word) => anyColumnContains(SEARCHED, word)),
    ],
    " and ",
  );
}

/** A page of merchants, newest first unless sorted, for administrators. */
export const listMerchants = operation({
  permission: "merchants.read",
  input: merchantsSchema,
  readOnly: true,
  mayLag: true,
  run: async (ctx, query): Promise<Page<MerchantSummary>> => {
    const { field, down } = parseSort(query.sort ?? "-received");
    const order: Order = { keys: KEYS[field], id: Prisma.sql`m.id`, down };
    const rows = { from: Prisma.sql`merchants m`, within: Prisma.sql`true`, where: conditions(query) };
    const ids = await pageIds(ctx.db, rows, order, query);
    const found = await ctx.db.merchant.findMany({ where: { id: { in: ids } }, select: merchantSelect });
    return pageOf(sortByIds(ids, found), query, ({ _count, ...row }) => ({ ...row, ..._count }));
  },
});

/** The number of merchants per status. */
export const countMerchants = operation({
  permission: "merchants.read",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<Record<MerchantStatus, number>> => {
    const rows = await ctx.db.merchant.groupBy({ by: ["status"], _count: { _all: true } });
    const counts = Object.fromEntries(rows.map((row) => [row.status, row._count._all]));
    return { pending: counts.pending ?? 0, approved: counts.approved ?? 0, rejected: counts.rejected ?? 0 };
  },
});

/** Options for administrators: the approved merchants by name, and the one that a page is narrowed to. */
export const merchantOptions = operation({
  permission: "merchants.read",
  input: z.object({ merchantId: idSchema.optional() }),
  readOnly: true,
  run: async (ctx, { merchantId }): Promise<{ value: string; label: string }[]> => {
    const found = await merchantChoices(ctx.db, merchantId);
    return found
      .map((one) => ({ value: one.id, label: merchantName(one, ctx.locale) }))
      .sort(compareByName(({ label }) => label));
  },
});

/** Whether an account or a merchant already uses this e-mail. */
export const emailExists = operation({
  permission: "public",
  input: byEmailSchema,
  run: async (ctx, input): Promise<{ exists: boolean }> => {
    const [user, merchant] = await Promise.all([
      ctx.db.user.findUnique({ where: { email: input.email }, select: { id: true } }),
      ctx.db.merchant.findUnique({ where: { email: input.email }, select: { id: true } }),
    ]);
    return { exists: user !== null || merchant !== null };
  },
});
