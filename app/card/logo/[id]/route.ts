import { publicPageContext } from "@/lib/api/page";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { logoPng } from "@/lib/files/logo";

type Params = { params: Promise<{ id: string }> };

/** A merchant's logo as a square PNG, for e-mails and Google Wallet. */
export async function GET(_request: Request, { params }: Params): Promise<Response> {
  const { id } = await params;
  if (!isId(id)) return new Response(null, { status: 404 });
  const key = `images/${id.toLowerCase()}.webp`;
  const bytes = await logoPng(await publicPageContext(), { key }).catch((error: unknown) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
  if (!bytes) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": "image/png",
      // Another logo has another id.
      "Cache-Control": "public, max-age=31536000, immutable",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
