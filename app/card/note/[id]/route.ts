import { publicPageContext } from "@/lib/api/page";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { notePng } from "@/lib/files/note";

type Params = { params: Promise<{ id: string }> };

/** A merchant's banknote as PNG, for Google Wallet. */
export async function GET(_request: Request, { params }: Params): Promise<Response> {
  const { id } = await params;
  if (!isId(id)) return new Response(null, { status: 404 });
  const bytes = await notePng(await publicPageContext(), { merchantId: id }).catch((error: unknown) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
  if (!bytes) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": "image/png",
      // Another note has another address.
      "Cache-Control": "public, max-age=31536000, immutable",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
