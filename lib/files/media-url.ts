import { env } from "@/lib/env";
import { mediaUrl, SMALL_LOGOS } from "./model/uploads";

/** The URL of a business image, or null. */
export function imageUrl(key: string | null): string | null {
  return mediaUrl(env().MEDIA_BASE_URL ?? `${env().APP_URL}/api/media`, key);
}

/** Answers the address of a small logo for a page, or null without a logo. The application draws it, so no CDN has it. */
export function smallLogoUrl(key: string | null): string | null {
  return key && `${env().APP_URL}/api/media/${key.replace("images/", SMALL_LOGOS)}`;
}

/** The URLs of a profile's image and logo; null where there is none, or it stays. */
export function picturesOf({
  imageKey = null,
  logoKey = null,
}: {
  imageKey?: string | null;
  logoKey?: string | null;
}): { image: string | null; logo: string | null } {
  return { image: imageUrl(imageKey), logo: imageUrl(logoKey) };
}

/** The address where a merchant's customers sign up, with the merchant's public id. */
export function signupUrl(publicId: string): string {
  return `${env().APP_URL}/customer/signup/${publicId}`;
}
