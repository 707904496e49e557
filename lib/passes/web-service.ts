import { z } from "zod";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import { idSchema } from "@/lib/domain/ids";
import { log } from "@/lib/observe/log";
import { type ActorFrom, operation } from "@/lib/operations/operation";
import { secretsEqual } from "@/lib/secrets/secrets";
import { type PassFile, passFile } from "./apple-pass";
import { appleSettings } from "./apple-settings";
import { readPassCard } from "./pass-card";

// https://developer.apple.com/documentation/walletpasses/adding-a-web-service-to-update-passes

const identifier = z.string().min(1).max(200);
const passKeySchema = z.object({ passType: identifier, serial: idSchema });
type PassKey = z.output<typeof passKeySchema>;
const unregisterDeviceSchema = passKeySchema.extend({ device: identifier });

async function assertPassType(passType: string): Promise<void> {
  const settings = await appleSettings();
  if (settings?.passTypeIdentifier !== passType) throw new DomainError("not_found");
}

/** The holder of the pass's card. Throws unauthenticated unless the header is `ApplePass <the pass's own token>`. */
const holderByPass: ActorFrom<PassKey> = async (ctx, { passType, serial }, { authorization }) => {
  await assertPassType(passType);
  const pass = await ctx.db.pass.findUnique({
    where: { serial },
    select: { authToken: true, customerId: true, customer: { select: { merchantId: true } } },
  });
  const given = /^ApplePass (.+)$/.exec(authorization ?? "")?.[1] ?? "";
  if (!pass || !secretsEqual(pass.authToken, given)) throw new DomainError("unauthenticated");
  const { customerId, customer } = pass;
  return { type: "cardHolder", customerId, merchantId: customer.merchantId, deviceId: null };
};

// No customer has a card on more devices, and each device costs a push for every movement.
const MAX_DEVICES = 30;

/** Registers a device for a pass, the latest thirty. Answers whether it is new (201). Throws unauthenticated, not_found. */
export const registerDevice = operation({
  permission: "pass.own",
  input: unregisterDeviceSchema.extend({ pushToken: z.string().min(1).max(400) }),
  errors: ["unauthenticated", "not_found"],
  actorFrom: holderByPass,
  run: async (ctx, input): Promise<{ created: boolean }> => {
    const [row] = await ctx.db.$queryRaw<{ created: boolean }[]>`
    insert into pass_registrations (device_id, serial, push_token)
    values (${input.device}, ${input.serial}::uuid, ${input.pushToken})
    on conflict (device_id, serial) do update set push_token = excluded.push_token
    returning (xmax = 0) as created`;
    await ctx.db.$executeRaw`
    delete from pass_registrations where serial = ${input.serial}::uuid and device_id in (
      select device_id from pass_registrations where serial = ${input.serial}::uuid
      order by created_at desc, device_id offset ${MAX_DEVICES})`;
    return { created: row?.created ?? false };
  },
});

/** Removes the registration of a device for a pass. Throws unauthenticated, not_found. */
export const unregisterDevice = operation({
  permission: "pass.own",
  input: unregisterDeviceSchema,
  errors: ["unauthenticated", "not_found"],
  actorFrom: holderByPass,
  run: async (ctx, input): Promise<{ removed: boolean }> => {
    const { count } = await ctx.db.passRegistration.deleteMany({
      where: { deviceId: input.device, serial: input.serial },
    });
    return { removed: count > 0 };
  },
});

// The end of the year 9999; Postgres does not accept every later time.
const LAST_TAG = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The time in a tag of an earlier answer; undefined for any other text. */
function parseTag(tag: string | undefined): Date | undefined {
  const at = tag && /^\d+$/.test(tag) ? Number(tag) : Number.NaN;
  return at <= LAST_TAG ? new Date(at) : undefined;
}

/** Milliseconds after which no transaction that changes passes still runs: a change has the time its transaction began. */
const SETTLED_MS = 60_000;

/** The serials of a device's passes changed after an earlier answer's tag; null (204): none. Throws not_found. */
export const changedPasses = operation({
  permission: "public",
  input: z.object({ passType: identifier, device: identifier, since: z.string().max(40).optional() }),
  errors: ["not_found"],
  readOnly: true,
  run: async (ctx, input) => {
    await assertPassType(input.passType);
    const since = parseTag(input.since);
    const rows = await ctx.db.passRegistration.findMany({
      where: { deviceId: input.device, pass: { changedAt: { gt: since } } },
      select: { serial: true, pass: { select: { changedAt: true } } },
      orderBy: { serial: "asc" },
    });
    if (rows.length === 0) return null;
    const latest = Math.max(...rows.map((row) => row.pass.changedAt.getTime()));
    // A pass that is listed again is not sent again: latestPass answers 304.
    const tag = Math.min(latest, ctx.clock().getTime() - SETTLED_MS);
    return { serialNumbers: rows.map((row) => row.serial), lastUpdated: String(tag) };
  },
});

/** The current pass, or null (304) when it did not change after `ifModifiedSince`. Throws unauthenticated, not_found. */
export const latestPass = operation({
  permission: "pass.own",
  input: passKeySchema.extend({ ifModifiedSince: z.string().nullable() }),
  errors: ["unauthenticated", "not_found"],
  readOnly: true,
  actorFrom: holderByPass,
  run: async (ctx, input): Promise<PassFile | null> => {
    const card = await readPassCard(ctx.db, { serial: input.serial });
    if (!card) throw new DomainError("not_found");
    const since = input.ifModifiedSince ? Date.parse(input.ifModifiedSince) : Number.NaN;
    // The header has whole seconds only.
    if (Math.floor(card.changedAt.getTime() / 1000) * 1000 <= since) return null;
    return passFile(card);
  },
});

// Anybody may call this: all devices together fill 64 kB of the log in a minute.
const LOG_BYTES: GuardLimit = { name: "apple-log-bytes", points: 64 * 1024, seconds: 60 };
// The bytes of a line besides its text: time, level, ids.
const LINE_BYTES = 250;

/** Logs a device's errors, one line each, without control characters. Throws rate_limited above LOG_BYTES. */
export const logWalletMessages = operation({
  permission: "public",
  input: z.object({ logs: z.array(z.string().max(2000)).max(100) }),
  run: async (ctx, input): Promise<{ logged: number }> => {
    const lines = input.logs.map((line) => line.replaceAll(/\p{Cc}/gu, " "));
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + LINE_BYTES, 0);
    if (bytes > 0) await consume(ctx.db, LOG_BYTES, "all", bytes);
    for (const line of lines) log("warn", "apple wallet log", { line });
    return { logged: lines.length };
  },
});
