import { isId } from "@/lib/domain/is-id";
import { notePng } from "@/lib/files/note";
import { pngResponse } from "../../_png";

type Params = { params: Promise<{ id: string }> };

/** A merchant's banknote as PNG: for Google Wallet, and `plain` for the heads of pages and e-mails. */
export async function GET(request: Request, { params }: Params): Promise<Response> {
  const { id } = await params;
  if (!isId(id)) return new Response(null, { status: 404 });
  const plain = new URL(request.url).searchParams.has("plain");
  return pngResponse((ctx) => notePng(ctx, { merchantId: id, plain }));
}
