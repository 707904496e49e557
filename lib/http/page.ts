import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { z } from "zod";
import {
  type Context,
  type Operation,
  type ProvedOperation,
  type PublicContext,
  runProved,
} from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import type { StaffPermission } from "@/lib/domain/policy";
import { webContext } from "./web-context";

/** Set by middleware: the path and query of the page asked for. */
const PATH_HEADER = "x-wallet-path";

/** The path and query of the page that is being made. */
export async function currentPath(): Promise<string> {
  return (await headers()).get(PATH_HEADER) ?? "/";
}

/** A page's context for whoever comes. */
export async function publicPageContext(): Promise<PublicContext> {
  return (await webContext()).ctx;
}

/** Runs an operation of a card's holder, or of whoever has the card's id, for this browser. Throws as runProved. */
export async function runForBrowser<I, O>(run: ProvedOperation<I, O>, input: I): Promise<O> {
  const { ctx, secrets } = await webContext();
  return runProved(run, ctx, input, secrets);
}

/**
 * A page's context for someone signed in who holds the permission (default: anyone signed in).
 * Leads to login (with `from`) without a session, over /session/ended when it ended, to /account-status while the
 * merchant is not approved, to the root when the role lacks the permission.
 */
export async function pageContext(permission: StaffPermission = "account.own"): Promise<Context> {
  const { ctx, session } = await webContext();
  if (!ctx.actor) {
    const from = encodeURIComponent(await currentPath());
    redirect(session === "ended" ? `/session/ended?from=${from}` : `/login?from=${from}`);
  }
  try {
    authorize(ctx.actor, permission);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    redirect(error.code.startsWith("merchant_") ? "/account-status" : "/");
  }
  return { ...ctx, actor: ctx.actor };
}

/** Runs a read operation for a page: what does not exist for this reader is Next's 404 page. */
export async function readOr404<I, O>(run: Operation<I, O>, ctx: Context, input: I): Promise<O> {
  try {
    return await run(ctx, input);
  } catch (error) {
    if (error instanceof DomainError && error.code.endsWith("not_found")) notFound();
    throw error;
  }
}

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The filters of a page's address. What a mangled link says wrongly is left out, so that the list still shows. */
export async function pageQuery<S extends z.ZodObject>(
  schema: S,
  params: SearchParams,
): Promise<z.output<S>> {
  const given = Object.fromEntries(
    Object.entries(await params).map(([key, value]) => [
      key,
      // Postgres keeps no NUL character.
      (Array.isArray(value) ? value[0] : value)?.replaceAll("\0", ""),
    ]),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = new Set(parsed.error.issues.map((issue) => issue.path[0]));
  return schema.parse(Object.fromEntries(Object.entries(given).filter(([key]) => !wrong.has(key))));
}
