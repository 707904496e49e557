import { z } from "zod";
import { createUpload } from "@/lib/files/uploads";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { same } from "@/lib/http/wire/names";

export const POST = route({
  run: createUpload,
  summary:
    "An upload straight to the store: PUT the file with its content type to the URL within five minutes.",
  tag: "Files",
  body: same("fileName", "contentType", "fileCategory", "fileSize"),
  reply: {
    schema: z.object({ presignedUrl: z.url(), key: z.string(), fullUrl: z.url() }),
    from: (output) => output,
  },
  example: { fileName: "front.png", contentType: "image/png", fileCategory: "image", fileSize: 120_000 },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
