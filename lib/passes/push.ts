import http2 from "node:http2";
import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import { env } from "@/lib/env";
import type { Task } from "@/lib/jobs/queue";
import { type AppleSettings, appleSettings, readPem } from "./apple-settings";
import { googleSettings, updateGoogleClass, updateGooglePass } from "./google-wallet";

// Apple refuses tokens older than an hour and ones renewed more often than every 20 minutes.
const TOKEN_SECONDS = 45 * 60;
const PATIENCE_MS = 10_000;

let token: { value: string; madeAt: number } | undefined;

async function bearer(teamId: string): Promise<string | null> {
  const { APPLE_APNS_KEY, APPLE_APNS_KEY_ID } = env();
  if (!APPLE_APNS_KEY || !APPLE_APNS_KEY_ID) return null;
  const now = Math.floor(Date.now() / 1000);
  if (token && now - token.madeAt < TOKEN_SECONDS) return token.value;
  const key = await importPKCS8(readPem(APPLE_APNS_KEY), "ES256");
  const value = await new SignJWT({})
    .setProtectedHeader({ alg: "ES256", kid: APPLE_APNS_KEY_ID })
    .setIssuer(teamId)
    .setIssuedAt(now)
    .sign(key);
  token = { value, madeAt: now };
  return value;
}

// Apple takes a connection for every push for an attack: one is kept, until it has been idle this long.
const IDLE_MS = 60_000;
let open: http2.ClientHttp2Session | undefined;

function connection(settings: AppleSettings, withCertificate: boolean): http2.ClientHttp2Session {
  if (open && !open.closed && !open.destroyed) return open;
  const { signerCert, signerKey, signerKeyPassphrase } = settings.certificates;
  const session = http2.connect(
    env().APPLE_APNS_URL,
    withCertificate ? { cert: signerCert, key: signerKey, passphrase: signerKeyPassphrase } : {},
  );
  // Each request on it hears of its fault; without a listener it would bring the process down.
  session.on("error", () => undefined);
  session.setTimeout(IDLE_MS, () => session.close());
  session.unref();
  open = session;
  return session;
}

/** What Apple said of one push: its HTTP status, and of a refusal the reason ("BadDeviceToken", …). */
type PushAnswer = { status: number; reason: string | null };

const refusalSchema = z.object({ reason: z.string() });

function reasonIn(body: string): string | null {
  try {
    return refusalSchema.parse(JSON.parse(body)).reason;
  } catch {
    // A success has no body; what is no JSON came from something in between.
    return null;
  }
}

function send(session: http2.ClientHttp2Session, headers: http2.OutgoingHttpHeaders): Promise<PushAnswer> {
  return new Promise((done, fail) => {
    const request = session.request(headers);
    let status = 0;
    let body = "";
    request.setTimeout(PATIENCE_MS, () => session.destroy(new Error("Apple's push service did not answer")));
    request.setEncoding("utf8");
    request.once("response", (answer) => (status = Number(answer[":status"])));
    request.on("data", (part: string) => (body += part));
    request.once("end", () => done({ status, reason: reasonIn(body) }));
    request.once("error", fail);
    request.once("close", () => fail(new Error("Apple's push service broke off")));
    request.end("{}");
  });
}

/**
 * Tells a device, by its push token, that a pass of ours changed: an empty notification over HTTP/2, authenticated by
 * token or else by the pass's certificate. Answers what Apple said (200 sent, 410 the device is gone).
 * Throws when Apple cannot be reached. See https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns
 */
async function pushToApple(settings: AppleSettings, pushToken: string): Promise<PushAnswer> {
  const authorization = await bearer(settings.teamIdentifier);
  return await send(connection(settings, authorization === null), {
    ":method": "POST",
    ":path": `/3/device/${encodeURIComponent(pushToken)}`,
    "apns-topic": settings.passTypeIdentifier,
    ...(authorization ? { authorization: `bearer ${authorization}` } : {}),
  });
}

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
