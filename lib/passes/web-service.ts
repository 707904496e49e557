import { z } from "zod";
import type { ActorFrom, HolderContext, PublicContext } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { redactEmails } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { idSchema } from "@/lib/domain/ids";
import { secretsEqual } from "@/lib/secrets/secrets";
import { type PassFile, signedPass } from "./apple-pass";
import { appleSettings } from "./apple-settings";
import { readPassCard } from "./pass-card";

// Apple's web service for passes: https://developer.apple.com/documentation/walletpasses/adding-a-web-service-to-update-passes

const name = z.string().min(1).max(200);
const passKeySchema = z.object({ passType: name, serial: idSchema });
type PassKey = z.output<typeof passKeySchema>;
const unregisterDeviceSchema = passKeySchema.extend({ device: name });
const registerDeviceSchema = unregisterDeviceSchema.extend({ pushToken: z.string().min(1).max(400) });
const changedPassesSchema = z.object({
  passType: name,
  device: name,
  since: z.string().max(40).optional(),
});
const latestPassSchema = passKeySchema.extend({ ifModifiedSince: z.string().nullable() });
const noteLogsSchema = z.object({ logs: z.array(z.string().max(2000)).max(100) });

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

// More devices hold no card; each of them costs a push for every movement.
const DEVICES = 30;

/**
 * Notes that a device holds a pass, of which the latest thirty are told. Answers whether that is new (201) or was
 * known (200).
 */
export async function registerDevice(
  ctx: HolderContext,
  input: z.output<typeof registerDeviceSchema>,
): Promise<{ created: boolean }> {
  authorize(ctx.actor, "pass.own");
  const [row] = await ctx.db.$queryRaw<{ created: boolean }[]>`
    insert into pass_registrations (device_id, serial, push_token)
    values (${input.device}, ${input.serial}::uuid, ${input.pushToken})
    on conflict (device_id, serial) do update set push_token = excluded.push_token
    returning (xmax = 0) as created`;
  await ctx.db.$executeRaw`
    delete from pass_registrations where serial = ${input.serial}::uuid and device_id in (
      select device_id from pass_registrations where serial = ${input.serial}::uuid
      order by created_at desc, device_id offset ${DEVICES})`;
  return { created: row?.created ?? false };
}
registerDevice.permission = "pass.own" as const;
registerDevice.input = registerDeviceSchema;
registerDevice.errors = ["unauthenticated", "not_found"] as const;
registerDevice.actorFrom = holderByPass;

/** Forgets that a device holds a pass. */
export async function unregisterDevice(
  ctx: HolderContext,
  input: z.output<typeof unregisterDeviceSchema>,
): Promise<{ removed: boolean }> {
  authorize(ctx.actor, "pass.own");
  const { count } = await ctx.db.passRegistration.deleteMany({
    where: { deviceId: input.device, serial: input.serial },
  });
  return { removed: count > 0 };
}
unregisterDevice.permission = "pass.own" as const;
unregisterDevice.input = unregisterDeviceSchema;
unregisterDevice.errors = ["unauthenticated", "not_found"] as const;
unregisterDevice.actorFrom = holderByPass;

export type ChangedPasses = { serialNumbers: string[]; lastUpdated: string } | null;

// The last moment of 9999: beyond, what is no tag of ours is no moment for Postgres either.
const LAST_TAG = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The moment that a tag of an earlier answer names; undefined for what is no tag of ours. */
function momentOf(tag: string | undefined): Date | undefined {
  const at = tag && /^\d+$/.test(tag) ? Number(tag) : Number.NaN;
  return at <= LAST_TAG ? new Date(at) : undefined;
}

/** The serials on a device that changed after the tag of an earlier answer; null (204) when none did. */
export async function changedPasses(
  ctx: PublicContext,
  input: z.output<typeof changedPassesSchema>,
): Promise<ChangedPasses> {
  await assertPassType(input.passType);
  const since = momentOf(input.since);
  const rows = await ctx.db.passRegistration.findMany({
    where: {
      deviceId: input.device,
      ...(since ? { pass: { changedAt: { gt: since } } } : {}),
    },
    select: { serial: true, pass: { select: { changedAt: true } } },
    orderBy: { serial: "asc" },
  });
  if (rows.length === 0) return null;
  const latest = Math.max(...rows.map((row) => row.pass.changedAt.getTime()));
  return { serialNumbers: rows.map((row) => row.serial), lastUpdated: String(latest) };
}
changedPasses.permission = "public" as const;
changedPasses.input = changedPassesSchema;
changedPasses.errors = ["not_found"] as const;

/** The pass as it is now, or null (304) when it did not change after `ifModifiedSince`. */
export async function latestPass(
  ctx: HolderContext,
  input: z.output<typeof latestPassSchema>,
): Promise<PassFile | null> {
  authorize(ctx.actor, "pass.own");
  const card = await readPassCard(ctx.db, { serial: input.serial });
  if (!card) throw new DomainError("not_found");
  const since = input.ifModifiedSince ? Date.parse(input.ifModifiedSince) : Number.NaN;
  // The header knows whole seconds only.
  if (Math.floor(card.changedAt.getTime() / 1000) * 1000 <= since) return null;
  return {
    bytes: await signedPass(card),
    changedAt: card.changedAt,
    businessName: card.merchant.businessName,
  };
}
latestPass.permission = "pass.own" as const;
latestPass.input = latestPassSchema;
latestPass.errors = ["unauthenticated", "not_found"] as const;
latestPass.actorFrom = holderByPass;

/** Writes a device's complaints about our passes to the log, one line each, without control characters. */
export async function noteWalletLogs(
  _ctx: PublicContext,
  input: z.output<typeof noteLogsSchema>,
): Promise<{ noted: number }> {
  for (const line of input.logs)
    console.warn(
      JSON.stringify({ event: "apple wallet log", line: redactEmails(line.replaceAll(/\p{Cc}/gu, " ")) }),
    );
  return { noted: input.logs.length };
}
noteWalletLogs.permission = "public" as const;
noteWalletLogs.input = noteLogsSchema;
