import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { DomainError } from "@/lib/domain/errors";
import { homeOf } from "@/lib/domain/panels";
import { safePath } from "@/lib/domain/paths";
import type { ActionResult } from "@/lib/domain/result";
import { isLocale, type Locale } from "@/lib/domain/roles";
import { signInSchema } from "@/lib/domain/schemas/account";
import { LOCALE_COOKIE } from "@/lib/i18n/locale";
import { nextAuth } from "@/lib/sessions/auth";
import { signIn } from "@/lib/sessions/sign-in";
import { signOut } from "@/lib/sessions/sign-out";
import { refusal } from "./action";
import { secureCookies } from "./cookies";
import { validationError } from "./problems";
import { webContext } from "./web-context";

export type LoggedIn = {
  /** The session's public handle, for localStorage.token. */
  handle: string;
  /** Where to go: `from` or `returnUrl` when it is a path of this site, else the role's home. */
  next: string;
};

/** Signs a browser in: opens a session and sets next-auth's cookie. */
export async function webSignIn(input: {
  email: string;
  password: string;
  from?: string;
}): Promise<ActionResult<LoggedIn>> {
  const { ctx } = await webContext();
  try {
    const parsed = signInSchema.safeParse(input);
    if (!parsed.success) throw validationError(parsed.error);
    const userAgent = (await headers()).get("user-agent");
    const session = await signIn(ctx, { ...parsed.data, userAgent });
    await nextAuth.signIn("credentials", { ticket: session.token, redirect: false });
    return {
      ok: true,
      data: { handle: session.handle, next: safePath(input.from) ?? homeOf(session.user.role) },
    };
  } catch (error) {
    if (error instanceof DomainError) return refusal(error, ctx.locale);
    throw error;
  }
}

/** Ends the browser's session and its cookie. An already ended one is no error. */
export async function webSignOut(): Promise<void> {
  const { ctx } = await webContext();
  if (ctx.actor) await signOut({ ...ctx, actor: ctx.actor }, {});
  await nextAuth.signOut({ redirect: false });
  redirect("/login");
}

/** Keeps the person's language for a year. */
export async function keepLocale(locale: Locale): Promise<void> {
  if (!isLocale(locale)) return;
  const { ctx } = await webContext();
  if (ctx.actor)
    await ctx.db.user.update({ where: { id: ctx.actor.userId }, data: { locale }, select: { id: true } });
  (await cookies()).set(LOCALE_COOKIE, locale, {
    maxAge: 365 * 24 * 60 * 60,
    path: "/",
    sameSite: "lax",
    secure: secureCookies(),
  });
}
