import { publicPageContext } from "@/lib/api/page";
import { nullIfRefused } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";

export type PngParams = { params: Promise<{ id: string }> };

/** A drawing as PNG that browsers and mail programs keep: another drawing has another address. 404 where there is none. */
export async function pngResponse(
  { params }: PngParams,
  draw: (ctx: Awaited<ReturnType<typeof publicPageContext>>, id: string) => Promise<Buffer>,
): Promise<Response> {
  const { id } = await params;
  const bytes = isId(id) && (await draw(await publicPageContext(), id).catch(nullIfRefused));
  if (!bytes) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": "image/png",
      "Cache-Control": "public, max-age=31536000, immutable",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
