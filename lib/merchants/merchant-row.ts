import type { MerchantSummary } from "@/lib/domain/merchant";

export const merchantSelect = {
  id: true,
  businessName: true,
  firstName: true,
  lastName: true,
  email: true,
  phone: true,
  imageKey: true,
  status: true,
  statusReason: true,
  decidedAt: true,
  createdAt: true,
  _count: { select: { branches: { where: { archivedAt: null } } } },
} as const;

type Row = Omit<MerchantSummary, "branches"> & { _count: { branches: number } };

export function merchantFrom({ _count, ...row }: Row): MerchantSummary {
  return { ...row, branches: _count.branches };
}
