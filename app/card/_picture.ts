import { publicPageContext } from "@/lib/api/page";
import { DomainError } from "@/lib/domain/errors";

/** A picture that browsers and mail programs keep: another picture has another address. 404 where there is none. */
export async function pictureResponse(
  contentType: "image/png" | "image/webp",
  draw: (ctx: Awaited<ReturnType<typeof publicPageContext>>) => Promise<Buffer>,
): Promise<Response> {
  const bytes = await draw(await publicPageContext()).catch((error: unknown) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
  if (!bytes) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": contentType,
      "Cache-Control": "public, max-age=31536000, immutable",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
