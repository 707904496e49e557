import { accountCalls } from "@/lib/accounts/names";
import { pinSignIn } from "@/lib/accounts/pin";
import { route } from "@/lib/api/route";
import { keepPinSession } from "@/lib/api/session-actions";
import { bind } from "@/lib/calls/bind";

const { reply: _, ...call } = accountCalls.pinSession;
const row = bind(call, pinSignIn, {
  summary: "Signs a worker in on this till's browser by PIN.",
  secret: "till",
  respond: { contentType: "application/json", from: keepPinSession },
});

/** As POST auth/pin, with a cookie that no script reads. No action: the till proof covers the body. */
export async function POST(request: Request): Promise<Response> {
  return (await route(row))(request, { params: {} });
}
