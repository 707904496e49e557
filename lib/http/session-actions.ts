import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { nextAuth } from "@/lib/accounts/auth";
import { signOut } from "@/lib/accounts/own-sessions";
import { signIn } from "@/lib/accounts/sign-in";
import { DomainError } from "@/lib/domain/errors";
import { homePath } from "@/lib/domain/panels";
import { safePath } from "@/lib/domain/paths";
import { isLocale, LOCALE_COOKIE, type Locale } from "@/lib/domain/roles";
import { failureResult } from "./action";
import { secureCookies } from "./cookies";
import { countRequest } from "./limits";
import { validationError } from "./problems";
import { webContext } from "./web-context";

/** What the login form shows after a refusal: the sentence, the fields at fault, and what was typed. */
export type SignInState = {
  message?: string;
  fieldErrors?: Record<string, string>;
  email?: string;
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

/** On a browser where nobody chose a language, the person's own choice goes with them. */
async function bringLocale(locale: Locale | null): Promise<void> {
  if (locale !== null && !isLocale((await cookies()).get(LOCALE_COOKIE)?.value))
    await setLocaleCookie(locale);
}

/**
 * Signs a browser in and leads on: to `from` when it is a path of this site, else to the role's home. A form's own
 * action, so that it works before any script has loaded.
 */
export async function webSignIn(_before: SignInState, form: FormData): Promise<SignInState> {
  const { ctx } = await webContext();
  const email = text(form, "email");
  let next: string;
  try {
    await countRequest("action", ctx.address);
    const userAgent = (await headers()).get("user-agent");
    const parsed = signIn.input.safeParse({ email, password: text(form, "password"), userAgent });
    if (!parsed.success) throw validationError(parsed.error);
    const session = await signIn(ctx, parsed.data);
    await nextAuth.signIn("credentials", { ticket: session.token, redirect: false });
    await bringLocale(session.user.locale);
    next = safePath(text(form, "from")) ?? homePath(session.user.role);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { message, fieldErrors } = failureResult(error, ctx.locale);
    return { message, fieldErrors, email };
  }
  redirect(next);
}

/** Ends the browser's session and its cookie. An already ended one is no error. */
export async function webSignOut(): Promise<void> {
  const { ctx } = await webContext();
  if (ctx.actor) await signOut({ ...ctx, actor: ctx.actor }, {});
  await nextAuth.signOut({ redirect: false });
  redirect("/login");
}

/** Keeps the person's language for a year. */
export async function saveLocale(locale: Locale): Promise<void> {
  if (!isLocale(locale)) return;
  const { ctx } = await webContext();
  if (ctx.actor)
    await ctx.db.user.update({ where: { id: ctx.actor.userId }, data: { locale }, select: { id: true } });
  await setLocaleCookie(locale);
}
