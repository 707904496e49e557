import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import type { z } from "zod";
import { nextAuth } from "@/lib/accounts/auth";
import { sessionIdOf } from "@/lib/accounts/auth.config";
import type { acceptInvitationSchema } from "@/lib/accounts/model/account";
import { pinSessionReply } from "@/lib/accounts/names";
import { signOut } from "@/lib/accounts/own-sessions";
import type { PinSession } from "@/lib/accounts/pin";
import { saveOwnLocale } from "@/lib/accounts/profile";
import { resolveSession, sessionMemory } from "@/lib/accounts/session";
import { acceptInvitation } from "@/lib/accounts/set-password";
import { confirmSignIn, type SignedIn, signIn } from "@/lib/accounts/sign-in";
import type { PublicContext } from "@/lib/db/context";
import { type ActionResult, DomainError, type FactorRequest } from "@/lib/domain/errors";
import { landingPath, PANELS } from "@/lib/domain/panels";
import { safePath } from "@/lib/domain/paths";
import { isLocale, LOCALE_COOKIE, type Locale } from "@/lib/domain/roles";
import { deliverInBackground } from "@/lib/jobs/deliver-in-background";
import { secureCookies } from "@/lib/secrets/cookies";
import { newDevice } from "@/lib/secrets/known-device";
import { failureResult } from "./action";
import { countVisitor } from "./limits";
import { replyOk, translateKey, writerOf } from "./reply";
import { markDevice, webContext } from "./web-context";

/** The state of the login form after a failure. With `request`, it shows the second step of a sign-in. */
export type SignInState = {
  message?: string;
  fieldErrors?: Record<string, string>;
  email?: string;
  request?: FactorRequest;
};

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

async function setLocaleCookie(locale: Locale): Promise<void> {
  (await cookies()).set(LOCALE_COOKIE, locale, {
    maxAge: 365 * 24 * 60 * 60,
    path: "/",
    sameSite: "lax",
    secure: secureCookies(),
  });
}

function assertionIn(form: FormData): unknown {
  const json = text(form, "assertion");
  try {
    return json === "" ? undefined : JSON.parse(json);
  } catch {
    return null;
  }
}

function submittedSignIn(ctx: PublicContext, form: FormData): Promise<SignedIn> {
  const challenge = text(form, "challenge");
  if (challenge === "") return signIn(ctx, { email: text(form, "email"), password: text(form, "password") });
  const code = text(form, "code") || undefined;
  const read = async () => ({ challenge, code, assertion: assertionIn(form) });
  return confirmSignIn.perform(ctx, read);
}

/** The form after a refusal. A wrong code leaves the second step open, unless its challenge has expired. */
function refusedState(
  error: DomainError,
  locale: Locale,
  previous: SignInState,
  form: FormData,
): SignInState {
  const email = text(form, "email");
  if (error.data) return { email, request: error.data };
  const { message, fieldErrors } = failureResult(error, locale);
  const open = text(form, "challenge") !== "" && error.code !== "challenge_expired";
  return { message, fieldErrors, email, ...(open && previous.request ? { request: previous.request } : {}) };
}

/** Puts a new session in this browser's cookie. Answers the path to open: `from` if the role may open it, else its home. */
async function startWebSession(
  { db, device }: PublicContext,
  { token, user: { id, role, locale } }: SignedIn,
  from: string,
): Promise<string> {
  await nextAuth.signIn("credentials", { ticket: token, redirect: false });
  await markDevice({ db, device }, { userId: id });
  // The language of the account, unless the browser has a chosen one.
  if (locale !== null && !isLocale((await cookies()).get(LOCALE_COOKIE)?.value))
    await setLocaleCookie(locale);
  return landingPath(role, safePath(from));
}

/** Accepts an employee's invitation and signs this browser in. Answers the path of the counter. */
export async function webAcceptInvitation(
  input: z.input<typeof acceptInvitationSchema>,
): Promise<ActionResult<{ next: string }>> {
  const { ctx } = await webContext();
  try {
    await countVisitor("action", ctx);
    const caller = { ...ctx, device: ctx.device ?? newDevice() };
    const session = await acceptInvitation.perform(caller, async () => input);
    deliverInBackground();
    return { ok: true, data: { next: await startWebSession(caller, session, PANELS.branch_worker.topup) } };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return failureResult(error, ctx.locale);
  }
}

/** Signs a browser in and goes to `from`, where the role may open it, or home. A form action: it needs no script. */
export async function webSignIn(previous: SignInState, form: FormData): Promise<SignInState> {
  const { ctx } = await webContext();
  let next: string;
  try {
    await countVisitor("action", ctx);
    // A browser without a device gets one, so that it is known when it signs in again.
    const device = ctx.device ?? newDevice();
    const session = await submittedSignIn({ ...ctx, device }, form);
    next = await startWebSession({ ...ctx, device }, session, text(form, "from"));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return refusedState(error, ctx.locale, previous, form);
  }
  redirect(next);
}

/** Ends the session of this browser's cookie, also a till's; with a handle, only that one. Answers whether it ended one. */
async function endCookieSession(ctx: PublicContext, handle: string | null = null): Promise<boolean> {
  const jar = await cookies();
  const id = await sessionIdOf((name) => jar.get(name)?.value);
  if (id === null) return false;
  const found = await resolveSession(ctx.db, { id }, ctx.clock());
  if (found.state !== "live" || (handle !== null && found.actor.handle !== handle)) return false;
  await signOut({ ...ctx, actor: found.actor }, {});
  sessionMemory().forget(`session:${found.actor.sessionId}`);
  return true;
}

/** Ends the browser's session; with a handle, only that. If none ended, the cookie stays: it may be newer. */
export async function webSignOut(handle: string | null): Promise<boolean> {
  const { ctx } = await webContext();
  const ended = await endCookieSession(ctx, handle);
  if (ended) await nextAuth.signOut({ redirect: false });
  return ended;
}

/** Puts a PIN's new session in this browser's cookie, and ends the one before. Answers what the browser keeps of it. */
export async function keepPinSession(
  { token, expiresAt, entryKey }: PinSession,
  ctx: PublicContext,
): Promise<Response> {
  const found = await resolveSession(ctx.db, { token }, ctx.clock());
  if (found.state !== "live") throw new DomainError("wrong_pin");
  await endCookieSession(ctx);
  await nextAuth.signIn("credentials", { ticket: token, redirect: false });
  const { handle, userId: id, firstName, lastName } = found.actor;
  const session = { handle, worker: { id, firstName, lastName }, entryKey, entryKeyUntil: expiresAt };
  const data = pinSessionReply.from(session, writerOf(ctx.locale));
  return replyOk(translateKey(ctx.locale, "api.loggedIn"), data);
}

/** Saves the person's language in a cookie for a year, and on their account. */
export async function saveLocale(locale: Locale): Promise<void> {
  if (!isLocale(locale)) return;
  const { ctx } = await webContext();
  // A PIN's session only serves, and is not an actor here: there the language is the till's.
  if (ctx.actor) {
    await saveOwnLocale({ ...ctx, actor: ctx.actor }, { locale });
    sessionMemory().forget(`user:${ctx.actor.userId}`);
  }
  await setLocaleCookie(locale);
}
