import { z } from "zod";
import { MAX_UPLOAD_BYTES } from "@/lib/domain/uploads";
import { receiveUpload } from "@/lib/files/uploads";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { same } from "@/lib/http/wire/names";

export const PUT = route({
  run: receiveUpload,
  summary: "Stores the file for an upload URL in the embedded storage.",
  tag: "Files",
  params: same("token"),
  raw: { limit: MAX_UPLOAD_BYTES },
  more: ({ bytes, headers }) => ({ bytes, contentType: headers.get("content-type") ?? "" }),
  reply: { schema: z.null(), from: (output) => output },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST } = otherMethods("PUT");
