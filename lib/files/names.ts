import { z } from "zod";
import { same } from "@/lib/calls/names";
import { MAX_UPLOAD_BYTES } from "./model/uploads";

export const fileCalls = {
  createUpload: {
    method: "POST",
    path: "auth/merchant/upload-url",
    body: same("fileName", "contentType", "fileCategory", "fileSize"),
    reply: { schema: z.object({ presignedUrl: z.url(), key: z.string(), fullUrl: z.url() }) },
  },
  readMedia: { method: "GET", path: "media/{...key}", params: same("key") },
  receiveUpload: {
    method: "PUT",
    path: "media/upload/{token}",
    params: same("token"),
    raw: { limit: MAX_UPLOAD_BYTES },
    reply: { schema: z.null() },
  },
} as const;
