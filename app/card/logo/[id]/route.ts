import { isId } from "@/lib/domain/is-id";
import { logoPng, logoWebp } from "@/lib/files/logo";
import { pictureResponse } from "../../_picture";

type Params = { params: Promise<{ id: string }> };

/** A merchant's logo: with `.webp` small for pages, otherwise a square PNG for e-mails and Google Wallet. */
export async function GET(_request: Request, { params }: Params): Promise<Response> {
  const { id: name } = await params;
  const small = name.endsWith(".webp");
  const id = small ? name.slice(0, -".webp".length) : name;
  if (!isId(id)) return new Response(null, { status: 404 });
  const key = `images/${id.toLowerCase()}.webp`;
  return small
    ? pictureResponse("image/webp", (ctx) => logoWebp(ctx, { key }))
    : pictureResponse("image/png", (ctx) => logoPng(ctx, { key }));
}
