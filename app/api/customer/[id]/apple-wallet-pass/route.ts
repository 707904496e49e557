import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { passResponse } from "@/lib/http/wire/wallet";
import { downloadApplePass } from "@/lib/passes/apple-pass";

export const GET = route({
  run: downloadApplePass,
  summary: "The Apple Wallet pass of a card, by its private id.",
  tag: "Customer card",
  params: idParams,
  respond: { contentType: "application/vnd.apple.pkpass", from: passResponse },
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
