import { download } from "@/lib/api/download";
import { contentDisposition } from "@/lib/files/csv";
import { posterSchema } from "@/lib/merchants/model/merchant";
import { posterPdf } from "@/lib/merchants/poster";

/** The sign-up poster, counter card or stickers; 403 with the reason while the merchant is not approved. */
export const GET = download(posterPdf, {
  query: posterSchema,
  input: ({ query }) => query,
  file: ({ fileName, bytes }) =>
    new Response(new Uint8Array(bytes), {
      headers: {
        "Content-Type": "application/pdf",
        "Content-Disposition": contentDisposition(fileName),
        "Content-Length": String(bytes.length),
        "Cache-Control": "private, no-store",
      },
    }),
});
