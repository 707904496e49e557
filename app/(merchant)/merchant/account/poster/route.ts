import { contentDisposition } from "@/lib/http/csv";
import { pageContext } from "@/lib/http/page";
import { posterPdf } from "@/lib/merchants/poster";

/** The sign-up poster as a download, for the merchant's owner. */
export async function GET(): Promise<Response> {
  const { fileName, bytes } = await posterPdf(await pageContext("merchant.profile"), {});
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": contentDisposition(fileName),
      "Content-Length": String(bytes.length),
      "Cache-Control": "private, no-store",
    },
  });
}
