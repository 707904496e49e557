import { z } from "zod";
import { idSchema } from "@/lib/domain/ids";
import { route } from "@/lib/http/route";
import { googleSaveLink } from "@/lib/passes/google-wallet";

/** Leads to Google's own page. */
export const GET = route({
  run: googleSaveLink,
  summary: "Leads to Google's page that saves the card to Google Wallet, by the card's private id.",
  tag: "Customer card",
  params: z.object({ id: idSchema }),
  respond: {
    contentType: "text/plain",
    statuses: [303],
    from: ({ url }) =>
      new Response(null, { status: 303, headers: { Location: url, "Cache-Control": "no-store" } }),
  },
  errors: ["customer_not_found", "customer_erased", "wallet_unavailable"],
});
