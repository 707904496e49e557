import { z } from "zod";
import { MAX_UPLOAD_BYTES } from "@/lib/domain/uploads";
import { receiveUpload } from "@/lib/files/uploads";
import { route } from "@/lib/http/route";
import { same } from "@/lib/http/wire/names";

export const PUT = route({
  run: receiveUpload,
  summary: "Takes the file of an upload URL into the embedded store.",
  tag: "Files",
  params: same("token"),
  raw: { limit: MAX_UPLOAD_BYTES },
  more: ({ bytes, headers }) => ({ bytes, contentType: headers.get("content-type") ?? "" }),
  reply: { schema: z.null(), from: (output) => output },
});
