import { z } from "zod";
import { env } from "@/lib/env";
import type { Task } from "@/lib/jobs";
import { pushToApple } from "./apns";
import { appleSettings } from "./apple-settings";
import { googleSettings } from "./google-settings";
import { updateGoogleClass, updateGooglePass } from "./google-wallet";

const pushPayload = z.object({ pushToken: z.string() });

// Of the refusals with status 400 only this one is about the device; the others are about us.
const NO_DEVICE = "BadDeviceToken";

/** Pushes to one device. A device that is gone (410, or a token Apple does not know) is forgotten; a fault is retried. */
export const pushPass: Task = async ({ db }, payload) => {
  const { pushToken } = pushPayload.parse(payload);
  const settings = await appleSettings();
  if (!settings) return;
  // A development pass is on no iPhone: Apple's own server is never asked for it.
  if (settings.development && new URL(env().APPLE_APNS_URL).hostname.endsWith("apple.com")) return;
  const { status, reason } = await pushToApple(settings, pushToken);
  if (status === 410 || reason === NO_DEVICE) {
    await db.passRegistration.deleteMany({ where: { pushToken } });
    return;
  }
  if (status !== 200) throw new Error(`Apple's push service answered ${status} ${reason ?? ""}`.trim());
};

const googlePayload = z.object({ customerId: z.uuid() });

/** Writes the card's state into its Google Wallet object; a fault is retried. */
export const updateGoogle: Task = async ({ db }, payload) => {
  const settings = googleSettings();
  if (settings) await updateGooglePass(db, settings, googlePayload.parse(payload).customerId);
};

const classPayload = z.object({ merchantId: z.string() });

/** Writes the merchant's name and picture into its Google Wallet class; a fault is retried. */
export const updateGoogleMerchant: Task = async ({ db }, payload) => {
  const settings = googleSettings();
  if (settings) await updateGoogleClass(db, settings, classPayload.parse(payload).merchantId);
};
