import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { nextAuth } from "@/lib/accounts/auth";
import { signOut } from "@/lib/accounts/own-sessions";
import { updateProfile } from "@/lib/accounts/profile";
import { signIn } from "@/lib/accounts/sign-in";
import { DomainError } from "@/lib/domain/errors";
import { homePath } from "@/lib/domain/panels";
import { safePath } from "@/lib/domain/paths";
import { isLocale, LOCALE_COOKIE, type Locale } from "@/lib/domain/roles";
import { failureResult } from "./action";
import { deviceCookie, secureCookies } from "./cookies";
import { countRequest } from "./limits";
import { validationError } from "./problems";
import { setCookie, webContext } from "./web-context";

/** What the login form shows after a failure: the message, the invalid fields and the entered e-mail. */
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

/** Applies the language of the user's account unless the browser has a chosen one. */
async function applyAccountLocale(locale: Locale | null): Promise<void> {
  if (locale !== null && !isLocale((await cookies()).get(LOCALE_COOKIE)?.value))
    await setLocaleCookie(locale);
}

/**
 * Signs a browser in and redirects to `from` if it is a path of this site, otherwise to the role's home. It is a form
 * action, so that it works before scripts load.
 */
export async function webSignIn(_previous: SignInState, form: FormData): Promise<SignInState> {
  const { ctx } = await webContext();
  const email = text(form, "email");
  let next: string;
  try {
    await countRequest("action", ctx.device?.id ?? ctx.address);
    const userAgent = (await headers()).get("user-agent");
    const parsed = signIn.input.safeParse({ email, password: text(form, "password"), userAgent });
    if (!parsed.success) throw validationError(parsed.error);
    const session = await signIn(ctx, parsed.data);
    await nextAuth.signIn("credentials", { ticket: session.token, redirect: false });
    await setCookie(deviceCookie(ctx.device, parsed.data.email));
    await applyAccountLocale(session.user.locale);
    next = safePath(text(form, "from")) ?? homePath(session.user.role);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { message, fieldErrors } = failureResult(error, ctx.locale);
    return { message, fieldErrors, email };
  }
  redirect(next);
}

/** Ends the browser's session and deletes its cookie. An ended session is not an error. */
export async function webSignOut(): Promise<void> {
  const { ctx } = await webContext();
  if (ctx.actor) await signOut({ ...ctx, actor: ctx.actor }, {});
  await nextAuth.signOut({ redirect: false });
}

/** Saves the person's language in a cookie for a year, and on their account. */
export async function saveLocale(locale: Locale): Promise<void> {
  if (!isLocale(locale)) return;
  const { ctx } = await webContext();
  if (ctx.actor) await updateProfile({ ...ctx, actor: ctx.actor }, { locale });
  await setLocaleCookie(locale);
}
