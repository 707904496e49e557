import { z } from "zod";
import { idSchema } from "@/lib/domain/ids";
import { route } from "@/lib/http/route";
import { passResponse } from "@/lib/http/wire/wallet";
import { downloadApplePass } from "@/lib/passes/apple-pass";

export const GET = route({
  run: downloadApplePass,
  summary: "The Apple Wallet pass of a card, by its private id.",
  tag: "Customer card",
  params: z.object({ id: idSchema }),
  respond: { contentType: "application/vnd.apple.pkpass", from: passResponse },
  errors: ["customer_not_found", "customer_erased", "wallet_unavailable"],
});
