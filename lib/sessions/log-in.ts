import type { PublicContext } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import type { SignIn } from "@/lib/domain/schemas/account";
import { type Profile, profile } from "./profile";
import { resolveSession } from "./session";
import { signIn } from "./sign-in";

export type LoggedIn = { token: string; expiresAt: Date; user: Profile };

/** Signs an API client in: its token, until when it lives unused, and who it is. Throws as signIn does. */
export async function logIn(
  ctx: PublicContext,
  input: SignIn & { userAgent?: string | null },
): Promise<LoggedIn> {
  const { token, expiresAt } = await signIn(ctx, input);
  const found = await resolveSession(ctx.db, { token }, ctx.clock());
  // Disabled between the two: no longer anybody.
  if (found.state !== "live") throw new DomainError("invalid_credentials");
  return { token, expiresAt, user: await profile({ ...ctx, actor: found.actor }, {}) };
}
logIn.permission = "public" as const;
