import { logoPng } from "@/lib/files/logo";
import { type PngParams, pngResponse } from "../../_png";

/** A merchant's logo as a square PNG, for e-mails and Google Wallet. */
export const GET = (_request: Request, params: PngParams) =>
  pngResponse(params, (ctx, id) => logoPng(ctx, { key: `images/${id.toLowerCase()}.webp` }));
