import http2 from "node:http2";
import { importPKCS8, SignJWT } from "jose";
import { env } from "@/lib/env";
import { type AppleSettings, readPem } from "./apple-settings";

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

function connect(settings: AppleSettings, withCertificate: boolean): http2.ClientHttp2Session {
  const { signerCert, signerKey, signerKeyPassphrase } = settings.certificates;
  return http2.connect(
    env().APPLE_APNS_URL,
    withCertificate ? { cert: signerCert, key: signerKey, passphrase: signerKeyPassphrase } : {},
  );
}

/**
 * Tells a device, by its push token, that a pass of ours changed: an empty notification over HTTP/2, authenticated by
 * token or else by the pass's certificate. Answers Apple's HTTP status (200 sent, 410 the device is gone).
 * Throws when Apple cannot be reached. See https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns
 */
export async function pushToApple(settings: AppleSettings, pushToken: string): Promise<number> {
  const authorization = await bearer(settings.teamIdentifier);
  const session = connect(settings, authorization === null);
  try {
    return await new Promise<number>((done, fail) => {
      session.once("error", fail);
      const request = session.request({
        ":method": "POST",
        ":path": `/3/device/${encodeURIComponent(pushToken)}`,
        "apns-topic": settings.passTypeIdentifier,
        ...(authorization ? { authorization: `bearer ${authorization}` } : {}),
      });
      request.setTimeout(PATIENCE_MS, () =>
        request.destroy(new Error("Apple's push service did not answer")),
      );
      request.once("error", fail);
      request.once("response", (headers) => done(Number(headers[":status"])));
      request.resume();
      request.end("{}");
    });
  } finally {
    session.close();
  }
}
