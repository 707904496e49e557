import { env } from "@/lib/env";
import { SMALL_LOGOS } from "./model/uploads";

/** The public URL of an attached image. */
export function publicUrl(key: string): string {
  const { MEDIA_BASE_URL, APP_URL } = env();
  return `${(MEDIA_BASE_URL ?? `${APP_URL}/api/media`).replace(/\/+$/, "")}/${key}`;
}

/** The URL of a business image, or null. */
export const imageUrl = (key: string | null): string | null => (key ? publicUrl(key) : null);

/** Answers the address of a small logo for a page, or null without a logo. The application draws it, so no CDN has it. */
export function smallLogoUrl(key: string | null): string | null {
  return key && `${env().APP_URL}/api/media/${key.replace("images/", SMALL_LOGOS)}`;
}

type PictureKeys = { imageKey?: string | null; logoKey?: string | null };

/** The URLs of a profile's image and logo; null where there is none, or it stays. */
export function picturesOf({ imageKey = null, logoKey = null }: PictureKeys) {
  return { image: imageUrl(imageKey), logo: imageUrl(logoKey) };
}

/** The address where a merchant's customers sign up, with the merchant's public id. */
export function signupUrl(publicId: string): string {
  return `${env().APP_URL}/customer/signup/${publicId}`;
}
