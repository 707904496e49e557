import http2 from "node:http2";
import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import { env } from "@/lib/env";
import type { Task } from "@/lib/jobs/queue";
import { type AppleSettings, appleSettings, decodePem } from "./apple-settings";
import { googleSettings, updateGoogleClass, updateGooglePass, walletServices } from "./google-wallet";

// Apple refuses tokens older than an hour, and tokens renewed more often than every 20 minutes.
const TOKEN_SECONDS = 45 * 60;

let token: { value: string; madeAt: number } | undefined;

async function bearerToken(teamId: string): Promise<string | null> {
  const { APPLE_APNS_KEY, APPLE_APNS_KEY_ID } = env();
  if (!APPLE_APNS_KEY || !APPLE_APNS_KEY_ID) return null;
  const now = Math.floor(Date.now() / 1000);
  if (token && now - token.madeAt < TOKEN_SECONDS) return token.value;
  const key = await importPKCS8(decodePem(APPLE_APNS_KEY), "ES256");
  const value = await new SignJWT({})
    .setProtectedHeader({ alg: "ES256", kid: APPLE_APNS_KEY_ID })
    .setIssuer(teamId)
    .setIssuedAt(now)
    .sign(key);
  token = { value, madeAt: now };
  return value;
}

// Apple may treat a connection per push as an attack, so all pushes share one, which stays open until it is idle this long.
const IDLE_MS = 60_000;
let open: http2.ClientHttp2Session | undefined;
let lastAnswerAt = 0;

function connection(settings: AppleSettings, withCertificate: boolean): http2.ClientHttp2Session {
  if (open && !open.closed && !open.destroyed) return open;
  const { signerCert, signerKey, signerKeyPassphrase } = settings.certificates;
  const session = http2.connect(
    env().APPLE_APNS_URL,
    withCertificate ? { cert: signerCert, key: signerKey, passphrase: signerKeyPassphrase } : {},
  );
  // Each request gets the error too; without a listener it would crash the process.
  session.on("error", () => undefined);
  session.setTimeout(IDLE_MS, () => session.close());
  session.unref();
  open = session;
  return session;
}

/** Apple's answer to one push: the HTTP status, and the reason of a refusal ("BadDeviceToken", …). */
type PushAnswer = { status: number; reason: string | null };

const refusalSchema = z.object({ reason: z.string() });

function reasonIn(body: string): string | null {
  try {
    return refusalSchema.parse(JSON.parse(body)).reason;
  } catch {
    // A success has no body; a body that is not JSON comes from a proxy.
    return null;
  }
}

function send(session: http2.ClientHttp2Session, headers: http2.OutgoingHttpHeaders): Promise<PushAnswer> {
  return new Promise((done, fail) => {
    const request = session.request(headers);
    let status = 0;
    let body = "";
    const { patience } = walletServices;
    request.setTimeout(patience, () => {
      const silent = new Error("Apple's push service did not answer");
      // A connection on which nothing was answered is dead. Otherwise the other pushes on it go on.
      if (Date.now() - lastAnswerAt >= patience) session.destroy(silent);
      else request.destroy(silent);
    });
    request.setEncoding("utf8");
    request.once("response", (answer) => {
      lastAnswerAt = Date.now();
      status = Number(answer[":status"]);
    });
    request.on("data", (part: string) => (body += part));
    request.once("end", () => done({ status, reason: reasonIn(body) }));
    request.once("error", fail);
    request.once("close", () => fail(new Error("Apple's push service broke off")));
    request.end("{}");
  });
}

/**
 * Notifies a device, by its push token, that a pass changed: an empty notification over HTTP/2, authenticated with a
 * token or else with the pass's certificate. Answers Apple's status (200 sent, 410 the device is gone) and reason.
 * Throws when Apple cannot be reached. See
 * https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns
 */
async function pushToApple(settings: AppleSettings, pushToken: string): Promise<PushAnswer> {
  const authorization = await bearerToken(settings.teamIdentifier);
  return await send(connection(settings, authorization === null), {
    ":method": "POST",
    ":path": `/3/device/${encodeURIComponent(pushToken)}`,
    "apns-topic": settings.passTypeIdentifier,
    ...(authorization ? { authorization: `bearer ${authorization}` } : {}),
  });
}

const pushPayload = z.object({ pushToken: z.string() });

// The only refusal with status 400 that concerns the device; the others concern this server.
const BAD_DEVICE_TOKEN = "BadDeviceToken";

/** Pushes to one device. Removes a device that is gone (410 or BadDeviceToken). Throws on a failure, for a retry. */
export const pushPassTask: Task = async ({ db }, payload) => {
  const { pushToken } = pushPayload.parse(payload);
  const settings = await appleSettings();
  if (!settings) return;
  // No iPhone has a development pass, so Apple's server is not called for it.
  if (settings.development && new URL(env().APPLE_APNS_URL).hostname.endsWith("apple.com")) return;
  const { status, reason } = await pushToApple(settings, pushToken);
  if (status === 410 || reason === BAD_DEVICE_TOKEN) {
    await db.passRegistration.deleteMany({ where: { pushToken } });
    return;
  }
  if (status !== 200) throw new Error(`Apple's push service answered ${status} ${reason ?? ""}`.trim());
};

const googlePassPayload = z.object({ customerId: z.uuid() });

/** Updates the card's Google Wallet object. Throws on a failure, for a retry. */
export const updateGooglePassTask: Task = async ({ db }, payload) => {
  const settings = googleSettings();
  if (settings) await updateGooglePass(db, settings, googlePassPayload.parse(payload).customerId);
};

const googleClassPayload = z.object({ merchantId: z.string() });

/** Updates the merchant's Google Wallet class. Throws on a failure, for a retry. */
export const updateGoogleClassTask: Task = async ({ db }, payload) => {
  const settings = googleSettings();
  if (settings) await updateGoogleClass(db, settings, googleClassPayload.parse(payload).merchantId);
};
