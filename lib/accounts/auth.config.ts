import type { NextAuthConfig } from "next-auth";
import { ROLES, type Role } from "@/lib/domain/roles";
import { cookieSecrets } from "@/lib/secrets/keys";

declare module "next-auth" {
  interface User {
    sessionId?: string;
    handle?: string;
    role?: Role;
  }
  interface Session {
    handle: string;
    role: Role;
  }
}

// The maximum that browsers allow. The cookie outlives its session, so that an ended session differs from none; the
// database decides whether the session is live.
export const COOKIE_SECONDS = 400 * 24 * 60 * 60;
const secure = (process.env.APP_URL ?? "").startsWith("https:");

/** The session cookie's name; next-auth uses it as the salt of its encryption too. */
export const SESSION_COOKIE = secure ? "__Secure-wallet.session" : "wallet.session";

/** The configuration without providers, which need the database. The middleware reads only the role. */
export const authConfig = {
  trustHost: true,
  secret: cookieSecrets(),
  session: { strategy: "jwt", maxAge: COOKIE_SECONDS },
  pages: { signIn: "/login", error: "/login" },
  cookies: {
    sessionToken: {
      name: SESSION_COOKIE,
      options: { httpOnly: true, sameSite: "lax", path: "/", secure },
    },
  },
  providers: [],
  callbacks: {
    jwt({ token, user }) {
      return user ? { ...token, sid: user.sessionId, handle: user.handle, role: user.role } : token;
    },
    session({ session, token }) {
      const role = ROLES.find((known) => known === token.role);
      return role
        ? // Never the session's id, which is the cookie's secret.
          { ...session, handle: String(token.handle), role }
        : session;
    },
  },
} satisfies NextAuthConfig;
