import { z } from "zod";
import { requiredText } from "@/lib/domain/typed";
import { acceptsContentType, extensionMatches, UPLOAD_CATEGORIES } from "./uploads";

/** The client's description of a file before its upload. `fileSize` is in bytes. */
export const createUploadSchema = z
  .object({
    fileName: requiredText(255),
    contentType: z
      .string({ error: "validation.required" })
      .max(100, "validation.tooLong")
      // Without parameters, but in the client's spelling, which it sends with the file: S3 compares them letter by letter.
      .transform((type) => type.split(";")[0]?.trim() ?? ""),
    fileCategory: z.enum(UPLOAD_CATEGORIES),
    fileSize: z.number().int().positive().optional(),
  })
  .superRefine(({ fileName, contentType, fileCategory }, ctx) => {
    if (acceptsContentType(fileCategory, contentType) && extensionMatches(fileName, contentType)) return;
    ctx.addIssue({ code: "custom", path: ["contentType"], message: `validation.upload.${fileCategory}` });
  });
export type CreateUpload = z.output<typeof createUploadSchema>;

export const readMediaSchema = z.object({ key: z.string().max(400) });

export const uploadKeySchema = z
  .string({ error: "validation.type" })
  .max(200, "validation.tooLong")
  .regex(/^(?:images|documents)\/[0-9a-f-]{36}(?:\.webp)?$/, "errors.upload_unknown");
