import { z } from "zod";
import { createUploadSchema } from "@/lib/domain/uploads";
import { createUpload } from "@/lib/files/uploads";
import { route } from "@/lib/http/route";

export const POST = route({
  run: createUpload,
  summary:
    "An upload straight to the store: PUT the file with its content type to the URL within five minutes.",
  tag: "Files",
  body: createUploadSchema,
  reply: {
    schema: z.object({ presignedUrl: z.url(), key: z.string(), fullUrl: z.url() }),
    from: (output) => output,
  },
  limit: "upload",
  errors: ["upload_too_large"],
  example: { fileName: "front.png", contentType: "image/png", fileCategory: "image", fileSize: 120_000 },
});
