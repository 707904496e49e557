import { downloadContext, pageQuery } from "@/lib/api/page";
import { replyError } from "@/lib/api/reply";
import { posterSchema } from "@/lib/domain/poster";
import { contentDisposition } from "@/lib/files/csv";
import { posterPdf } from "@/lib/merchants/poster";

/**
 * The sign-up poster, counter card or stickers as a download, for the merchant's owner; 403 with the reason while the
 * merchant is not approved.
 */
export async function GET(request: Request): Promise<Response> {
  const ctx = await downloadContext("merchant.profile");
  const asked = Object.fromEntries(new URL(request.url).searchParams);
  try {
    const { fileName, bytes } = await posterPdf(ctx, await pageQuery(posterSchema, Promise.resolve(asked)));
    return new Response(new Uint8Array(bytes), {
      headers: {
        "Content-Type": "application/pdf",
        "Content-Disposition": contentDisposition(fileName),
        "Content-Length": String(bytes.length),
        "Cache-Control": "private, no-store",
      },
    });
  } catch (error) {
    return replyError(error, ctx.locale, ctx.requestId);
  }
}
