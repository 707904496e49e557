import { contentDisposition } from "@/lib/http/csv";
import { downloadContext } from "@/lib/http/page";
import { replyError } from "@/lib/http/reply";
import { posterPdf } from "@/lib/merchants/poster";

/** The sign-up poster as a download, for the merchant's owner; 403 with the reason while the merchant is not approved. */
export async function GET(): Promise<Response> {
  const ctx = await downloadContext("merchant.profile");
  try {
    const { fileName, bytes } = await posterPdf(ctx, {});
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
