import { fileTypeFromBuffer } from "file-type";
import sharp from "sharp";
import { DomainError } from "@/lib/domain/errors";
import type { UploadCategory } from "@/lib/domain/uploads";

/** The longest side of what is kept, in pixels. A document must stay readable. */
const LONGEST: Record<UploadCategory, number> = { image: 1600, document: 2400 };
/** Above this a small file is a trap: it would fill the memory when it is opened. */
const MAX_PIXELS = 50_000_000;

export type SafeFile = { bytes: Buffer; contentType: string };

/**
 * A file made safe to keep: its bytes must be what was claimed; pictures are drawn anew (upright, at most 1600 pixels,
 * 2400 as a document, WebP, without metadata), so nothing hidden in them stays. Throws upload_mismatch.
 */
export async function inspectFile(
  bytes: Buffer,
  claimed: string,
  category: UploadCategory,
): Promise<SafeFile> {
  const found = await fileTypeFromBuffer(bytes);
  if (!found || found.mime !== claimed) throw new DomainError("upload_mismatch");
  if (claimed === "application/pdf") return { bytes, contentType: claimed };
  const side = LONGEST[category];
  try {
    const drawn = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .rotate()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .webp({ quality: 85 })
      .toBuffer();
    return { bytes: drawn, contentType: "image/webp" };
  } catch (cause) {
    throw new DomainError("upload_mismatch", {}, [], { cause });
  }
}
