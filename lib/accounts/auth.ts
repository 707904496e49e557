import NextAuth from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { z } from "zod";
import { getDb } from "@/lib/db/client";
import { authConfig } from "./auth.config";
import { claimWebSession } from "./web-session";

const ticketSchema = z.object({ ticket: z.string().min(20).max(200) });

/**
 * next-auth over our own sessions. Its only credential is the ticket of a session that sign-in has just opened, so
 * the password, its rate limits and its messages are dealt with in one place.
 */
export const nextAuth = NextAuth({
  ...authConfig,
  providers: [
    Credentials({
      credentials: { ticket: {} },
      async authorize(credentials) {
        const parsed = ticketSchema.safeParse(credentials);
        if (!parsed.success) return null;
        const session = await claimWebSession(getDb(), parsed.data.ticket, new Date());
        return session
          ? { id: session.userId, sessionId: session.sessionId, handle: session.handle, role: session.role }
          : null;
      },
    }),
  ],
});
