import NextAuth from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { z } from "zod";
import { getDb } from "@/lib/db/client";
import { isId } from "@/lib/domain/is-id";
import { authConfig, claimWebSession } from "./auth.config";
import { endSessions } from "./session";

const ticketSchema = z.object({ ticket: z.string().min(20).max(200) });

/** next-auth on this product's sessions. It takes only the token of a session that signIn has just opened, and no password. */
export const nextAuth = NextAuth({
  ...authConfig,
  events: {
    async signOut(message) {
      const sid = "token" in message ? message.token?.sid : undefined;
      if (isId(sid)) await endSessions(getDb(), { id: sid }, new Date());
    },
  },
  providers: [
    Credentials({
      credentials: { ticket: {} },
      async authorize(credentials) {
        const parsed = ticketSchema.safeParse(credentials);
        if (!parsed.success) return null;
        const session = await claimWebSession(getDb(), parsed.data.ticket, new Date());
        return session && { id: session.userId, ...session };
      },
    }),
  ],
});
