import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import type { z } from "zod";
import type { Writer } from "@/lib/calls/bind";
import type { Context, PublicContext } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { isStaffPermission, type Permission, type StaffPermission } from "@/lib/domain/policy";
import type { translator } from "@/lib/i18n/translate";
import type { Operation } from "@/lib/operations/operation";
import { writerOf } from "./reply";
import { type WebContext, webContext } from "./web-context";

/** The path and query of the requested page, and its method. The middleware sets these headers. */
const PATH_HEADER = "x-wallet-path";
const METHOD_HEADER = "x-wallet-method";

export async function currentPath(): Promise<string> {
  return (await headers()).get(PATH_HEADER) ?? "/";
}

/** The context of a page. Only where an action renders it again is the session not remembered: it may have changed it. */
const readContext = async (): Promise<WebContext> =>
  webContext({ remembered: (await headers()).get(METHOD_HEADER) === "GET" });

export const publicPageContext = async (): Promise<PublicContext> => (await readContext()).ctx;

/** Runs an operation for this browser, which may hold a card. Throws the operation's errors. */
export async function runForBrowser<I, O, S>(run: Operation<I, O, S>, input: S): Promise<O> {
  const { ctx, secrets } = await webContext();
  return run.perform(ctx, async () => input, { secrets });
}

export type PageContext = Context;

/** The part of a call's answer that a browser reads, for a page that brings the answer with it. */
export const asRead = <Output, Data, View>(
  { locale }: PageContext,
  reply: { from: (output: Output, to: Writer) => Data; view: (data: Data) => View },
  output: Output,
): View => reply.view(reply.from(output, writerOf(locale)));

/** Answers the path to which a page of this permission redirects its user, or null if the user may stay. */
async function refusalOf(
  { ctx: { actor }, session }: WebContext,
  permission: StaffPermission,
): Promise<string | null> {
  if (!actor) {
    if (session === "unproved") return "/";
    const from = encodeURIComponent(await currentPath());
    return session === "ended" ? `/session/ended?from=${from}` : `/login?from=${from}`;
  }
  try {
    authorize(actor, permission);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "enrolment_required") return "/account-security";
    return error.code.startsWith("merchant_") ? "/account-status" : "/";
  }
}

async function contextOrRedirect(found: WebContext, permission: StaffPermission): Promise<Context> {
  const refusal = await refusalOf(found, permission);
  const { actor } = found.ctx;
  if (refusal !== null || !actor) redirect(refusal ?? "/");
  return { ...found.ctx, actor };
}

function permissionOf({ permission }: { permission: Permission | "public" }): StaffPermission {
  if (!isStaffPermission(permission)) throw new Error(`no session has ${permission}`);
  return permission;
}

/**
 * The context of a page for a signed-in user who may run this operation (default: any signed-in user). Otherwise it redirects:
 * to login (with `from`) without a session, to /session/ended when the session ended, to "/" when it belongs to a till
 * (whose proof a navigation cannot carry) or the role lacks the permission, to /account-status while the merchant is not
 * approved, and to /account-security while the user must set a second factor.
 */
export async function pageContext<I, O, S>(run?: Operation<I, O, S>): Promise<Context> {
  const permission = run ? permissionOf(run) : "account.own";
  const found = await readContext();
  // Before a redirect, the session is read from the database: the user may have gained rights a moment ago.
  const stays = (await refusalOf(found, permission)) === null;
  return contextOrRedirect(stays ? found : await webContext(), permission);
}

/** As pageContext, for a file that leaves the program. The session is always read from the database. */
export async function downloadContext<I, O, S>(run: Operation<I, O, S>): Promise<Context> {
  return contextOrRedirect(await webContext(), permissionOf(run));
}

/** Whether a PIN opened the session on a till: its pages have no data, which the browser fetches with the till proof. */
export const isPinSession = async (): Promise<boolean> => (await readContext()).session === "unproved";

/** Runs a read operation for a page. A not_found error renders Next's 404 page. */
export async function readOr404<I, O, S>(run: Operation<I, O, S>, ctx: Context, input: S): Promise<O> {
  try {
    return await run(ctx, input);
  } catch (error) {
    if (error instanceof DomainError && error.code.endsWith("not_found")) notFound();
    throw error;
  }
}

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The filters in a page's address. Invalid values are ignored, so that the list still renders. */
export async function pageQuery<S extends z.ZodObject>(
  schema: S,
  params: SearchParams,
): Promise<z.output<S>> {
  const given = Object.fromEntries(
    Object.entries(await params).map(([key, value]) => [
      key,
      // Postgres cannot store NUL characters.
      (Array.isArray(value) ? value[0] : value)?.replaceAll("\0", ""),
    ]),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = new Set(parsed.error.issues.map((issue) => issue.path[0]));
  return schema.parse(Object.fromEntries(Object.entries(given).filter(([key]) => !wrong.has(key))));
}

type TextKey = Parameters<ReturnType<typeof translator>>[0];

/** Answers the `generateMetadata` of a page whose title is this text, in the visitor's language. */
export const pageTitle = (text: TextKey) => async () => ({ title: (await getTranslations())(text) });

/** The same for a page whose address holds a secret, which must not leak through the Referer header. */
export const secretPageTitle = (text: TextKey) => async () => ({
  title: (await getTranslations())(text),
  referrer: "no-referrer" as const,
});
