import { z } from "zod";

/** The largest file that is taken, in bytes and as it is told to people. */
export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;
export const MAX_UPLOAD_MB = 5;

const UPLOAD_CATEGORIES = ["image", "document"] as const;
export type UploadCategory = (typeof UPLOAD_CATEGORIES)[number];

// A map, since the key comes from outside: every object has a "constructor".
const EXTENSIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["image/jpeg", ["jpg", "jpeg"]],
  ["image/png", ["png"]],
  ["image/gif", ["gif"]],
  ["image/webp", ["webp"]],
  ["application/pdf", ["pdf"]],
]);

/** A content type in one spelling ("image/jpg" is "image/jpeg"), its parameters left off. */
export function normaliseType(type: string): string {
  const plain = type.split(";")[0]?.trim().toLowerCase() ?? "";
  return plain === "image/jpg" ? "image/jpeg" : plain;
}

/** Whether a category takes files of this content type. */
export function takesType(category: UploadCategory, type: string): boolean {
  const plain = normaliseType(type);
  return EXTENSIONS.has(plain) && (category === "document" || plain.startsWith("image/"));
}

/** Whether a file's name, when it says what the file is, says the same as its content type. */
export function nameFits(fileName: string, type: string): boolean {
  const extension = /\.([a-z0-9]+)$/i.exec(fileName.trim())?.[1]?.toLowerCase();
  return extension === undefined || (EXTENSIONS.get(normaliseType(type))?.includes(extension) ?? false);
}

/** Why a chosen file is refused: a catalogue key (`{limit}` is MAX_UPLOAD_MB), or null when it is fine. */
export function fileProblem(
  file: { name: string; type: string; size: number } | null | undefined,
  category: UploadCategory,
):
  | "upload.none"
  | "validation.upload.image"
  | "validation.upload.document"
  | "errors.upload_too_large"
  | null {
  if (!file) return "upload.none";
  if (!takesType(category, file.type) || !nameFits(file.name, file.type))
    return `validation.upload.${category}`;
  return file.size > MAX_UPLOAD_BYTES ? "errors.upload_too_large" : null;
}

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

export const readMediaSchema = z.object({ key: z.string().max(400) });

/** The key of an upload, as createUpload answered it. */
export const uploadKeySchema = z
  .string({ error: "validation.type" })
  .max(200, "validation.tooLong")
  .regex(/^(?:images|documents)\/[0-9a-f-]{36}(?:\.webp)?$/, "errors.upload_unknown");

/** A public picture's URL: the media base plus its key; null when there is none. */
export function mediaUrl(base: string, key: string | null): string | null {
  return key ? `${base.replace(/\/+$/, "")}/${key}` : null;
}
