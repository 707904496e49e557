import { z } from "zod";
import { nameFits, normaliseType, takesType, UPLOAD_CATEGORIES } from "../uploads";

/** What a file claims to be, before it is uploaded. `fileSize` in bytes. */
export const createUploadSchema = z
  .object({
    fileName: z
      .string({ error: "validation.required" })
      .min(1, "validation.required")
      .max(255, "validation.tooLong"),
    contentType: z
      .string({ error: "validation.required" })
      .max(100, "validation.tooLong")
      .transform(normaliseType),
    fileCategory: z.enum(UPLOAD_CATEGORIES),
    fileSize: z.number().int().positive().optional(),
  })
  .superRefine(({ fileName, contentType, fileCategory }, ctx) => {
    if (takesType(fileCategory, contentType) && nameFits(fileName, contentType)) return;
    ctx.addIssue({ code: "custom", path: ["contentType"], message: `validation.upload.${fileCategory}` });
  });
export type CreateUpload = z.output<typeof createUploadSchema>;

/** The key of an upload, as createUpload answered it. */
export const uploadKeySchema = z
  .string({ error: "validation.type" })
  .max(200, "validation.tooLong")
  .regex(/^(?:images|documents)\/[0-9a-f-]{36}(?:\.webp)?$/, "errors.upload_unknown");
