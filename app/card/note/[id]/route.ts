import { notePng } from "@/lib/files/note";
import { type PngParams, pngResponse } from "../../_png";

/** A merchant's banknote as PNG: for Google Wallet, and `plain` for the heads of pages and e-mails. */
export const GET = (request: Request, params: PngParams) =>
  pngResponse(params, (ctx, merchantId) =>
    notePng(ctx, { merchantId, plain: new URL(request.url).searchParams.has("plain") }),
  );
