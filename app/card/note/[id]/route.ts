import { isId } from "@/lib/domain/is-id";
import { notePng } from "@/lib/files/note";
import { pngResponse } from "../../_png";

type Params = { params: Promise<{ id: string }> };

/** A merchant's banknote as PNG, for Google Wallet. */
export async function GET(_request: Request, { params }: Params): Promise<Response> {
  const { id } = await params;
  if (!isId(id)) return new Response(null, { status: 404 });
  return pngResponse((ctx) => notePng(ctx, { merchantId: id }));
}
