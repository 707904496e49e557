import { z } from "zod";
import { download } from "@/lib/api/download";
import { readDocument } from "@/lib/files/uploads";

/** A merchant's document as a download, for administrators. Its content security policy: middleware.ts. */
export const GET = download(readDocument, {
  query: z.object({}),
  input: ({ params }) => ({
    merchantId: params.id?.slice(0, 100) ?? "",
    documentId: params.document?.slice(0, 100) ?? "",
  }),
  file: ({ bytes, contentType, fileName }) =>
    new Response(new Uint8Array(bytes), {
      headers: {
        "Content-Type": contentType,
        "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`,
        "Cache-Control": "private, no-store",
        "X-Content-Type-Options": "nosniff",
      },
    }),
});
