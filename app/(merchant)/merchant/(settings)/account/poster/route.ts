import { download } from "@/lib/api/download";
import { fileResponse } from "@/lib/files/csv";
import { posterSchema } from "@/lib/merchants/model/merchant";
import { posterPdf } from "@/lib/merchants/poster";

/** The sign-up poster, counter card or stickers; 403 with the reason while the merchant is not approved. */
export const GET = download(posterPdf, {
  query: posterSchema,
  input: ({ query }) => query,
  file: ({ fileName, bytes }) => fileResponse("application/pdf", fileName, bytes),
});
