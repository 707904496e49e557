import sharp from "sharp";
import { MAX_UPLOAD_BYTES } from "@/lib/domain/uploads";
import { storage } from "./storage/store";
import type { Storage } from "./storage/types";

/** Pixels. Both given: filled and cut to fit; one given: the other follows. */
export type ImageShape = { format: "png" | "jpeg"; width?: number; height?: number };

/** An attached image by its key in a form that PDFs and passes take, or null when there is none. */
export async function readImage(
  key: string,
  { format, ...size }: ImageShape,
  store: Storage = storage(),
): Promise<Buffer | null> {
  const bytes = await store.read(key, MAX_UPLOAD_BYTES);
  if (!bytes) return null;
  const picture = sharp(bytes).resize({ ...size, fit: "cover" });
  return format === "png"
    ? picture.png().toBuffer()
    : picture.flatten({ background: "#ffffff" }).jpeg({ quality: 88 }).toBuffer();
}
