import { randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Db, Tx } from "@/lib/db/client";
import { isDemo } from "@/lib/env";
import { hashSecret, seal, unseal } from "@/lib/secrets/secrets";

const STEP_SECONDS = 30;
export const WRONG_CODE = { path: "code", message: "errors.second_factor_invalid" };
// RFC 4226 recommends 160 bits.
const SECRET_BYTES = 20;

const stepOf = (now: Date): number => Math.floor(now.getTime() / (STEP_SECONDS * 1000));

function generatorOf(secret: string, label: string): TOTP {
  const issuer = "Loyalty Wallet";
  return new TOTP({ issuer, label, algorithm: "SHA1", digits: 6, period: STEP_SECONDS, secret });
}

/** A new secret for an authenticator app: in Base32, sealed for the database, and as the address of its QR code. */
export function newTotp(userId: string, email: string): { secret: string; sealed: string; uri: string } {
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  return {
    secret,
    sealed: seal("second-factors", secret, userId),
    uri: generatorOf(secret, email).toString(),
  };
}

/** The user's authenticator app with its secret, which is `text`; null without one that an accepted key opens. */
async function readTotp(db: Db | Tx, userId: string, confirmed: boolean) {
  const row = await db.secondFactor.findFirst({
    where: { userId, kind: "totp", confirmedAt: confirmed ? { not: null } : null },
    select: { id: true, secret: true, lastStep: true },
  });
  const opened = row?.secret ? unseal("second-factors", row.secret, userId) : null;
  return row && opened && { ...row, ...opened };
}

/** Spends a code of the user's app (present, before or next), once. `confirm`: the first code of an app that waits for it. */
export async function spendTotpCode(
  db: Db | Tx,
  userId: string,
  code: string,
  now: Date,
  confirm?: { name: string | undefined },
): Promise<{ id: string; name: string } | null> {
  const app = await readTotp(db, userId, confirm === undefined);
  if (!app) return null;
  const timestamp = now.getTime();
  const delta = generatorOf(app.text, userId).validate({ token: code, timestamp, window: 1 });
  if (delta === null) return null;
  const step = stepOf(now) + delta;
  const [spent] = await db.secondFactor.updateManyAndReturn({
    where: {
      id: app.id,
      secret: app.secret,
      confirmedAt: confirm ? null : { not: null },
      OR: [{ lastStep: null }, { lastStep: { lt: step } }],
    },
    data: {
      lastStep: step,
      lastUsedAt: now,
      ...(confirm ? { confirmedAt: now, ...(confirm.name ? { name: confirm.name } : {}) } : {}),
      // After a rotation of AUTH_SECRET it gets the new key.
      ...(app.present ? {} : { secret: seal("second-factors", app.text, userId) }),
    },
    select: { id: true, name: true },
  });
  return spent ?? null;
}

/** In the demo only, the code that the user's app shows, or the next one when that was used. Else null. */
export async function demoCode(
  db: Db | Tx,
  userId: string,
  now: Date,
  confirmed = true,
): Promise<string | null> {
  if (!isDemo()) return null;
  const app = await readTotp(db, userId, confirmed);
  if (!app) return null;
  const step = Math.max(stepOf(now), (app.lastStep ?? 0) + 1);
  return generatorOf(app.text, userId).generate({ timestamp: step * STEP_SECONDS * 1000 });
}

const CODES = 10;
// Without i, l, o and u, which are easily misread. Sixteen of them are 80 random bits, so a plain hash is enough.
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
const [GROUPS, GROUP] = [4, 4];

const newCode = (): string =>
  Array.from({ length: GROUPS * GROUP }, () => LETTERS[randomInt(LETTERS.length)]).join("");
const shown = (code: string): string => code.match(new RegExp(`.{${GROUP}}`, "g"))?.join("-") ?? code;
const hashOf = (userId: string, code: string): string => hashSecret(`${userId}\n${code}`);

/** Replaces a user's recovery codes by ten new ones. Answers them, of which only the hashes are stored. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: hashOf(userId, code), createdAt: now })),
  });
  return codes.map(shown);
}

/** Spends a recovery code, given without separators, once. Answers whether it was good. */
export async function spendRecoveryCode(db: Db, userId: string, code: string, now: Date): Promise<boolean> {
  const { count } = await db.recoveryCode.updateMany({
    where: { userId, codeHash: hashOf(userId, code), usedAt: null },
    data: { usedAt: now },
  });
  return count === 1;
}
