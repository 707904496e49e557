import { downloadContext, readOr404 } from "@/lib/api/page";
import { isId } from "@/lib/domain/is-id";
import { readDocument } from "@/lib/files/uploads";

type Params = { params: Promise<{ id: string; document: string }> };

/** A merchant's document as a download, for administrators. Its content security policy: middleware.ts. */
export async function GET(_request: Request, { params }: Params): Promise<Response> {
  const ctx = await downloadContext("merchants.read");
  const { id, document } = await params;
  if (!isId(id) || !isId(document)) return new Response(null, { status: 404 });
  const file = await readOr404(readDocument, ctx, { merchantId: id, documentId: document });
  return new Response(new Uint8Array(file.bytes), {
    headers: {
      "Content-Type": file.contentType,
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.fileName)}`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
