import { z } from "zod";
import { download } from "@/lib/api/download";
import { fileResponse } from "@/lib/files/csv";
import { readDocument } from "@/lib/files/uploads";

/** A merchant's document as a download, for administrators. Its content security policy: middleware.ts. */
export const GET = download(readDocument, {
  query: z.object({}),
  input: ({ params }) => ({
    merchantId: params.id?.slice(0, 100) ?? "",
    documentId: params.document?.slice(0, 100) ?? "",
  }),
  file: ({ bytes, contentType, fileName }) => fileResponse(contentType, fileName, bytes),
});
