import type { Db } from "@/lib/db/client";

/** The audit entries about a record, the oldest first, with the values that stand beside them. */
export async function auditsOf(db: Db, entityId: string) {
  const rows = await db.audit.findMany({
    where: { entityId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    include: { texts: true },
  });
  return rows.map(({ texts, ...row }) => {
    const of = (part: string) =>
      (texts.find((text) => text.part === part)?.content ?? {}) as Record<string, unknown>;
    return { ...row, before: null, after: null, ...of("details"), ...of("place") };
  });
}
