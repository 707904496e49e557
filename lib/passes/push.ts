import http2 from "node:http2";
import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import type { Db, Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { env } from "@/lib/env";
import type { Task } from "@/lib/jobs/queue";
import { type AppleSettings, appleSettings, decodePem } from "./apple-settings";
import { walletServices } from "./google-wallet";

/** The jobs (task, payload, key) that notify the devices and Google objects of the passes in `touched`. */
const NOTIFICATION_JOBS = Prisma.sql`
  select 'push_pass' as task, json_build_object('pushToken', r.push_token) as payload,
    'push_pass:' || r.push_token as key
  from (select distinct push_token from pass_registrations join touched using (serial)) r
  union all
  select 'update_google_pass', json_build_object('customerId', customer_id), 'google:' || customer_id
  from touched where google_saved`;

/** Queues the rows (task, payload, key) of `jobs` before jobs of movements. Answers the passes in `touched`. */
async function queueNotifications(tx: Db | Tx, touched: Prisma.Sql, jobs: Prisma.Sql): Promise<number> {
  const [row] = await tx.$queryRaw<{ touched: number }[]>`
    with touched as (${touched}), jobs as (${jobs}), queued as (
      select graphile_worker.add_jobs(array_agg(
        (task, payload, null, null, null, key, -10, null)::graphile_worker.job_spec
      )) from jobs having count(*) > 0
    )
    select (select count(*)::int from touched) as touched, (select count(*)::int from queued) as queued`;
  return row?.touched ?? 0;
}

/**
 * Marks the passes that meet a condition (on a pass p and its customer c) as changed. The new time is at least a second
 * after the old one, because If-Modified-Since has whole seconds. It has milliseconds, like the tag of Apple's list of
 * changes, so that a pass that changes within the second of an answer is not missed. Rows are locked in order, because
 * sets of customers overlap.
 */
function markChanged(where: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    update passes set changed_at = greatest(date_trunc('milliseconds', now()), changed_at + interval '1 second')
    where serial = any(array(
      select p.serial from passes p join customers c on c.id = p.customer_id
      where p.voided_at is null and ${where} order by p.serial for no key update of p))
    returning serial, customer_id, google_saved`;
}

/** Marks a merchant's passes (null: all) as changed, and queues their notifications. Answers how many. */
export async function touchPassesOfMerchant(db: Db, merchantId: string | null): Promise<number> {
  const all = merchantId === null;
  const where = all ? Prisma.sql`true` : Prisma.sql`c.merchant_id = ${merchantId}::uuid`;
  const ofClass = Prisma.sql`
    union all
    select 'update_google_class', json_build_object('merchantId', ${merchantId}::text),
      'google_class:' || ${merchantId}::text
    where exists (select 1 from touched where google_saved)`;
  return queueNotifications(
    db,
    markChanged(where),
    Prisma.sql`${NOTIFICATION_JOBS} ${all ? Prisma.empty : ofClass}`,
  );
}

/** Queues the notifications of a customer's pass without changing it. Does nothing without a pass. */
export async function queuePassPushes(db: Db, customerId: string): Promise<void> {
  const pass = Prisma.sql`
    select serial, customer_id, google_saved from passes where customer_id = ${customerId}::uuid`;
  await queueNotifications(db, pass, NOTIFICATION_JOBS);
}

/** Marks customers' passes as changed and queues their notifications, in one statement. Void passes stay. */
export async function touchPassesOfCustomers(tx: Db | Tx, customerIds: string[]): Promise<void> {
  await queueNotifications(
    tx,
    markChanged(Prisma.sql`c.id = any(${customerIds}::uuid[])`),
    NOTIFICATION_JOBS,
  );
}

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
type PushAnswer = { status: number; reason: string | undefined };

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
    // A success has no body; a body that is not JSON comes from a proxy.
    request.once("end", () => done({ status, reason: /"reason"\s*:\s*"(\w+)"/.exec(body)?.[1] }));
    request.once("error", fail);
    request.once("close", () => fail(new Error("Apple's push service broke off")));
    request.end("{}");
  });
}

const pushPayload = z.object({ pushToken: z.string() });

/**
 * Notifies a device that a pass changed, with a token or else the pass's certificate. Removes a device that is gone. Throws
 * when Apple cannot be reached or refuses, for a retry. See
 * https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns
 */
export const pushPassTask: Task = async ({ db }, payload) => {
  const { pushToken } = pushPayload.parse(payload);
  const settings = await appleSettings();
  if (!settings) return;
  // No iPhone has a development pass, so Apple's server is not called for it.
  if (settings.development && new URL(env().APPLE_APNS_URL).hostname.endsWith("apple.com")) return;
  const authorization = await bearerToken(settings.teamIdentifier);
  const { status, reason } = await send(connection(settings, authorization === null), {
    ":method": "POST",
    ":path": `/3/device/${encodeURIComponent(pushToken)}`,
    "apns-topic": settings.passTypeIdentifier,
    ...(authorization ? { authorization: `bearer ${authorization}` } : {}),
  });
  // The only refusal with status 400 that concerns the device; the others concern this server.
  if (status === 410 || reason === "BadDeviceToken") {
    await db.passRegistration.deleteMany({ where: { pushToken } });
    return;
  }
  if (status !== 200) throw new Error(`Apple's push service answered ${status} ${reason ?? ""}`.trim());
};
