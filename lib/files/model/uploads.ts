export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;
export const MAX_UPLOAD_MB = 5;

export const MERCHANT_QUOTA_BYTES = 100 * 1024 * 1024;
export const MERCHANT_QUOTA_MB = 100;

/** How many documents a merchant sends with an application. */
export const MAX_DOCUMENTS = 3;

export const UPLOAD_CATEGORIES = ["image", "document"] as const;
export type UploadCategory = (typeof UPLOAD_CATEGORIES)[number];

// A Map, since the key is user input and an object would answer inherited keys such as "constructor".
const EXTENSIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["image/jpeg", ["jpg", "jpeg"]],
  ["image/png", ["png"]],
  ["image/gif", ["gif"]],
  ["image/webp", ["webp"]],
  ["application/pdf", ["pdf"]],
]);

/** A content type in its standard form ("image/jpg" becomes "image/jpeg"), without parameters. */
export function normaliseContentType(type: string): string {
  const plain = type.split(";")[0]?.trim().toLowerCase() ?? "";
  return plain === "image/jpg" ? "image/jpeg" : plain;
}

/** Whether a category accepts files of this content type. */
export function acceptsContentType(category: UploadCategory, type: string): boolean {
  const contentType = normaliseContentType(type);
  return EXTENSIONS.has(contentType) && (category === "document" || contentType.startsWith("image/"));
}

/** Whether a file's extension matches its content type. A name without an extension matches. */
export function extensionMatches(fileName: string, type: string): boolean {
  const extension = /\.([a-z0-9]+)$/i.exec(fileName.trim())?.[1]?.toLowerCase();
  return (
    extension === undefined || (EXTENSIONS.get(normaliseContentType(type))?.includes(extension) ?? false)
  );
}

/** Why a file is refused: a catalogue key (`{limit}` is MAX_UPLOAD_MB), or null when it is valid. */
export function fileProblem(
  file: { name: string; type: string; size: number } | null | undefined,
  category: UploadCategory,
): "upload.none" | `validation.upload.${UploadCategory}` | "errors.upload_too_large" | null {
  if (!file) return "upload.none";
  if (!acceptsContentType(category, file.type) || !extensionMatches(file.name, file.type))
    return `validation.upload.${category}`;
  return file.size > MAX_UPLOAD_BYTES ? "errors.upload_too_large" : null;
}

/** The folder of small logos in the addresses of images. Nothing is stored there. */
export const SMALL_LOGOS = "logos/";
