import { isId } from "@/lib/domain/is-id";
import { logoPng } from "@/lib/files/logo";
import { pngResponse } from "../../_png";

type Params = { params: Promise<{ id: string }> };

/** A merchant's logo as a square PNG, for e-mails and Google Wallet. */
export async function GET(_request: Request, { params }: Params): Promise<Response> {
  const { id } = await params;
  if (!isId(id)) return new Response(null, { status: 404 });
  return pngResponse((ctx) => logoPng(ctx, { key: `images/${id.toLowerCase()}.webp` }));
}
