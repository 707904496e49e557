import { pinSignIn } from "@/lib/accounts/pin";
import { route } from "@/lib/http/route";
import { keepPinSession } from "@/lib/http/session-actions";
import { pinSignInWire } from "@/lib/http/wire/till";

/**
 * The browser's PIN sign-in: as POST auth/pin, with the session in the usual cookie instead of a token that a script could
 * read. It is no server action, because its proof also covers the body.
 */
export const POST = route({
  run: pinSignIn,
  summary: "Signs a worker in on this till's browser by PIN.",
  tag: "Tills",
  secret: "till",
  body: pinSignInWire,
  more: ({ headers }) => ({ userAgent: headers.get("user-agent") }),
  respond: { contentType: "application/json", from: keepPinSession },
});
