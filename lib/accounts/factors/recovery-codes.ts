import { randomInt } from "node:crypto";
import type { Db, Tx } from "@/lib/db/client";
import { hashSecret } from "@/lib/secrets/secrets";

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
