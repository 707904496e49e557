import type { Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import type { Locale } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { hashSecret } from "@/lib/secrets/secrets";
import { parseUserAgent } from "./model/account";

/** The device of a sign-in: the secret of its cookie (null for an API client) and its user agent. */
export type SignInDevice = { device?: string | null | undefined; userAgent?: string | null | undefined };
type Owner = { id: string; email: string; firstName: string; locale: Locale | null };

/**
 * Keeps the device of a sign-in, and mails the user when they never signed in with it. An API client without the cookie is
 * known by its user agent and address. The first device of an account is not reported: it is how the account began.
 */
export async function noteDevice(
  tx: Tx,
  ctx: Pick<PublicContext, "address" | "clock" | "locale">,
  user: Owner,
  { device, userAgent }: SignInDevice,
): Promise<void> {
  const now = ctx.clock();
  const deviceHash = hashSecret(device ?? `${userAgent ?? ""}\n${ctx.address}`);
  const [known] = await tx.$queryRaw<{ isNew: boolean; others: boolean }[]>`
    with others as (
      select 1 from user_devices where user_id = ${user.id}::uuid and device_hash <> ${deviceHash} limit 1)
    insert into user_devices (user_id, device_hash, last_seen_at, created_at)
    values (${user.id}::uuid, ${deviceHash}, ${now}::timestamptz, ${now}::timestamptz)
    on conflict (user_id, device_hash) do update set last_seen_at = excluded.last_seen_at
    returning created_at = ${now}::timestamptz as "isNew", exists (select 1 from others) as others`;
  if (!known?.isNew || !known.others) return;
  const { browser, system } = parseUserAgent(userAgent ?? null);
  await queueEmail(tx, {
    to: user.email,
    template: "new_device",
    locale: user.locale ?? ctx.locale,
    params: {
      name: user.firstName,
      device: [browser, system].filter(Boolean).join(" · ") || null,
      address: ctx.address === "unknown" ? null : ctx.address,
      at: now,
      url: `${env().APP_URL}/forgot-password`,
    },
  });
}
