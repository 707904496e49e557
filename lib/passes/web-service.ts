import type { PublicContext } from "@/lib/db/context";
import { withoutAddresses } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { sameSecret } from "@/lib/secrets/secrets";
import { type PassFile, signedPass } from "./apple-pass";
import { appleSettings } from "./apple-settings";
import { readPassCard } from "./pass-card";

// Apple's web service for passes: https://developer.apple.com/documentation/walletpasses/adding-a-web-service-to-update-passes

type PassKey = { passType: string; serial: string; authorization: string | null };

async function assertPassType(passType: string): Promise<void> {
  const settings = await appleSettings();
  if (settings?.passTypeIdentifier !== passType) throw new DomainError("not_found");
}

/** Throws unauthenticated unless the header is `ApplePass <the pass's own token>`. */
async function assertPass(ctx: PublicContext, { passType, serial, authorization }: PassKey): Promise<void> {
  await assertPassType(passType);
  const pass = await ctx.db.pass.findUnique({ where: { serial }, select: { authToken: true } });
  const given = /^ApplePass (.+)$/.exec(authorization ?? "")?.[1] ?? "";
  if (!pass || !sameSecret(pass.authToken, given)) throw new DomainError("unauthenticated");
}

// More devices hold no card; each of them costs a push for every movement.
const DEVICES = 30;

/**
 * Notes that a device holds a pass, of which the latest thirty are told. Answers whether that is new (201) or was
 * known (200).
 */
export async function registerDevice(
  ctx: PublicContext,
  input: PassKey & { device: string; pushToken: string },
): Promise<{ created: boolean }> {
  await assertPass(ctx, input);
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
registerDevice.permission = "public" as const;

/** Forgets that a device holds a pass. */
export async function unregisterDevice(
  ctx: PublicContext,
  input: PassKey & { device: string },
): Promise<{ removed: boolean }> {
  await assertPass(ctx, input);
  const { count } = await ctx.db.passRegistration.deleteMany({
    where: { deviceId: input.device, serial: input.serial },
  });
  return { removed: count > 0 };
}
unregisterDevice.permission = "public" as const;

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
  input: { passType: string; device: string; since?: string },
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

/** The pass as it is now, or null (304) when it did not change after `ifModifiedSince`. */
export async function latestPass(
  ctx: PublicContext,
  input: PassKey & { ifModifiedSince: string | null },
): Promise<PassFile | null> {
  await assertPass(ctx, input);
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
latestPass.permission = "public" as const;

/** Writes a device's complaints about our passes to the log, one line each, without control characters. */
export async function noteWalletLogs(
  _ctx: PublicContext,
  input: { logs: string[] },
): Promise<{ noted: number }> {
  for (const line of input.logs)
    console.warn(
      JSON.stringify({ event: "apple wallet log", line: withoutAddresses(line.replaceAll(/\p{Cc}/gu, " ")) }),
    );
  return { noted: input.logs.length };
}
noteWalletLogs.permission = "public" as const;
