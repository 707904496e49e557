import type { PublicContext } from "@/lib/db/context";

/** Whether somebody signs in with this e-mail already. */
export async function emailExists(
  ctx: PublicContext,
  input: { email: string },
): Promise<{ exists: boolean }> {
  const [user, merchant] = await Promise.all([
    ctx.db.user.findUnique({ where: { email: input.email }, select: { id: true } }),
    ctx.db.merchant.findUnique({ where: { email: input.email }, select: { id: true } }),
  ]);
  return { exists: user !== null || merchant !== null };
}
emailExists.permission = "public" as const;
