import { createHash, randomInt } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { crc32 } from "node:zlib";
import type { Db } from "@/lib/db/client";
import { firstOfHour } from "@/lib/db/rate-limit";
import type { ApiKeyActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { mailOwners } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { log } from "@/lib/observe/log";
import { oncePerProcess } from "@/lib/observe/once";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 24;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 12;
const SECRET = /^wk_(?:live|test)_[0-9A-Za-z]{30}$/;

/** Only production has keys of real money, so that a key in a log says what it opens. */
const start = () => (env().APP_ENV === "production" ? "wk_live_" : "wk_test_");

/** The CRC32 of a text in six digits of base62. */
function checksumOf(text: string): string {
  let left = crc32(text);
  let digits = "";
  for (let at = 0; at < CHECKSUM_LENGTH; at++) {
    digits = LETTERS.charAt(left % LETTERS.length) + digits;
    left = Math.floor(left / LETTERS.length);
  }
  return digits;
}

/** Completes 24 characters of chance to a secret of this installation: `wk_live_`, the characters, and the checksum of both. */
export function keySecret(chance: string): string {
  const body = start() + chance;
  return body + checksumOf(body);
}

/** A new secret of an API key, with what the database keeps of it: its first characters and its hash. */
export function newKeySecret(): { secret: string; prefix: string; hash: Uint8Array<ArrayBuffer> } {
  const chance = Array.from({ length: SECRET_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length)));
  const secret = keySecret(chance.join(""));
  return { secret, prefix: secret.slice(0, SHOWN_LENGTH), hash: keyHash(secret) };
}

/** The stored hash of a secret, sha256 of the whole text, which is enough for 142 random bits. */
export const keyHash = (secret: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createHash("sha256").update(secret).digest());

/** Whether a text claims to be an API key, well formed or not. */
export const looksLikeKey = (text: string): boolean => /^wk_(?:live|test)_/i.test(text);

/** Whether a text can be a key of this installation, by its form and checksum. It asks no database. */
export function isKeySecret(text: string): boolean {
  if (!SECRET.test(text) || !text.startsWith(start())) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.endsWith(checksumOf(body));
}

type Row = Omit<ApiKeyActor, "type"> & { addresses: string[] };

/** The API key of a secret that is good now, read each time, for the caller's own address; null otherwise. Throws key_address. */
export async function findApiKey(db: Db, secret: string, address: string): Promise<ApiKeyActor | null> {
  const [row] = await db.$queryRaw<Row[]>`
    select k.id::text as "keyId", k.name, k.scopes, k.branch_id::text as "branchId", k.addresses,
      m.id::text as "merchantId", m.status::text as "merchantStatus", m.status_reason as "merchantStatusReason",
      case when m.suspended_at is not null then coalesce(m.suspension_reason, '') end as "merchantSuspension"
    from api_key_secrets s join api_keys k on k.id = s.api_key_id join merchants m on m.id = k.merchant_id
    where s.hash = ${keyHash(secret)} and k.revoked_at is null and (s.ends_at is null or s.ends_at > now())`;
  if (!row) return null;
  const { addresses, ...key } = row;
  if (addresses.length > 0 && !isListed(addresses, address)) {
    await tellRefused(db, key, { prefix: secret.slice(0, SHOWN_LENGTH), address });
    throw new DomainError("key_address", { address });
  }
  return { type: "apiKey", ...key };
}

/** E-mails the owners, at most once an hour, that a good secret came from where its key may not be used: it may be stolen. */
async function tellRefused(
  db: Db,
  { keyId, name: key, merchantId }: Omit<Row, "addresses">,
  about: { prefix: string; address: string },
): Promise<void> {
  const url = `${env().APP_URL}/merchant/settings/integrations`;
  await db.$transaction(async (tx) => {
    if (!(await firstOfHour(tx, `address:${keyId}`))) return;
    const at = new Date();
    await mailOwners(tx, merchantId, "api_key_refused", ({ name }) => ({ ...about, key, name, at, url }));
  });
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** Whether an address is one of these, or in one of these ranges. An IPv4 address may be written as IPv6. */
function isListed(addresses: readonly string[], address: string): boolean {
  if (isIP(address) === 0) return false;
  const list = new BlockList();
  for (const one of addresses) {
    const [first = "", bits] = one.split("/");
    if (bits === undefined) list.addAddress(first, familyOf(first));
    else list.addSubnet(first, Number(bits), familyOf(first));
  }
  return list.check(address, familyOf(address));
}

const FLUSH_MS = 60_000;
type Use = { requests: number; flushedAt: number; timer: NodeJS.Timeout | undefined };
const uses = () => oncePerProcess("uses of API keys", () => new Map<string, Use>());

/** Counts a request of a key. The first of a minute is written at once, with those before it; nobody waits for it. */
export function countKeyUse(db: Db, keyId: string): void {
  const use = uses().get(keyId) ?? { requests: 0, flushedAt: 0, timer: undefined };
  uses().set(keyId, use);
  use.requests++;
  use.timer ??= setTimeout(
    () =>
      void flushKeyUse(db, keyId).catch((error: unknown) => log("warn", "a key's use was lost", { error })),
    Math.max(0, use.flushedAt + FLUSH_MS - Date.now()),
  ).unref();
}

/** Writes down what this process counted for a key. */
export async function flushKeyUse(db: Db, keyId: string): Promise<void> {
  const use = uses().get(keyId);
  if (!use || use.requests === 0) return;
  clearTimeout(use.timer);
  const { requests } = use;
  Object.assign(use, { requests: 0, flushedAt: Date.now(), timer: undefined });
  await db.$executeRaw`
    with used as (update api_keys set last_used_at = now() where id = ${keyId}::uuid returning id)
    insert into api_key_uses (api_key_id, hour, requests)
    select id, date_trunc('hour', now()), ${requests}::int from used
    on conflict (api_key_id, hour) do update set requests = api_key_uses.requests + excluded.requests`;
}
