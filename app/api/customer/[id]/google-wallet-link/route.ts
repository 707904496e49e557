import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { googleSaveLink } from "@/lib/passes/google-wallet";

/** Redirects to Google's page. */
export const GET = route({
  run: googleSaveLink,
  summary: "Redirects to Google's page that saves the card to Google Wallet, by the card's private id.",
  tag: "Customer card",
  params: idParams,
  respond: {
    contentType: "text/plain",
    statuses: [303],
    from: ({ url }) =>
      new Response(null, { status: 303, headers: { Location: url, "Cache-Control": "no-store" } }),
  },
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
