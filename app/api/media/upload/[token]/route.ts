import { z } from "zod";
import { MAX_UPLOAD_BYTES } from "@/lib/domain/uploads";
import { receiveUpload } from "@/lib/files/uploads";
import { route } from "@/lib/http/route";

export const PUT = route({
  run: receiveUpload,
  summary: "Takes the file of an upload URL into the embedded store.",
  tag: "Files",
  params: z.object({ token: z.string().max(2000) }),
  raw: { limit: MAX_UPLOAD_BYTES },
  input: ({ params, bytes, headers }) => ({
    token: params.token,
    bytes,
    contentType: headers.get("content-type") ?? "",
  }),
  reply: { schema: z.null(), from: (output) => output },
  errors: ["forbidden", "too_large", "not_found"],
});
