import type { Branch } from "@/lib/domain/branch";

export const branchSelect = {
  id: true,
  name: true,
  city: true,
  archivedAt: true,
  createdAt: true,
  merchant: { select: { id: true, businessName: true } },
  _count: { select: { workers: { where: { role: "branch_worker", status: { not: "disabled" } } } } },
} as const;

type Row = Omit<Branch, "workers"> & { _count: { workers: number } };

export function branchFrom({ _count, ...row }: Row): Branch {
  return { ...row, workers: _count.workers };
}
