import { timingSafeEqual } from "node:crypto";
import { LIVE_CODE_SECONDS } from "@/lib/cards/model/card";
import { guessCode } from "@/lib/codes/codes";
import type { Context } from "@/lib/db/context";
import { ofEitherId } from "@/lib/db/query";
import { merchantWhere, type Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { acceptedMacs, macOf } from "@/lib/secrets/secrets";
import type { PostingRow } from "./batch";
import { availableOf } from "./pockets";

/** `proofRef`: good once a customer. `triesLeft`: of a mailed code. `points`: the most that it confirms. */
export type Judged = Pick<PostingRow, "proof" | "proofRef"> & { triesLeft?: number; points?: number };

/**
 * Judges the card's live code, or the mailed six digits (whose wrong guesses are counted). The posting uses the code up, so
 * that a refused one costs none. A wrong code is an answer too, because a repeat gets its first result whatever code it
 * carries. Throws proof_amount when the mailed code is for fewer points, or with `upTo` than what of them is available.
 */
export async function judgeProof(
  ctx: Pick<Context, "db" | "clock">,
  reach: Reach,
  customerId: string,
  shown: string | undefined,
  points: number,
  upTo = false,
): Promise<Judged> {
  if (!shown) return { proof: "none" };
  const customer = await ctx.db.customer.findFirst({
    where: { ...ofEitherId(customerId), ...merchantWhere(reach) },
    select: { id: true, email: true },
  });
  if (!customer) return { proof: "invalid" };
  const now = ctx.clock();
  if (/^\d{6}$/.test(shown)) {
    if (!customer.email) return { proof: "invalid" };
    const target = { purpose: "redeem" as const, email: customer.email, customerId: customer.id };
    const guess = await guessCode(ctx.db, target, shown, now, { keep: true });
    if (!guess) return { proof: "invalid" };
    const { good, id, triesLeft, points: most } = guess;
    if (!good) return { proof: "invalid", triesLeft };
    const proof = { proof: "mailed_code", proofRef: `mail:${id}` } as const;
    if (most === null || points <= most) return proof;
    const isLess = upTo && (await availableOf(ctx.db, customer.id, now)) <= most;
    if (!isLess) throw new DomainError("proof_amount", { limit: most });
    return { ...proof, points: most };
  }
  const step = liveCodeStep(customer.id, shown, now);
  return step === null ? { proof: "invalid" } : { proof: "live_code", proofRef: `live:${step}` };
}

const ACCEPTED_SECONDS = 60;
const MAC_BYTES = 12;

const shownText = (customerId: string, step: number): string => `${customerId}\n${step}`;

/** The code that a card's holder shows at this moment (`customerId` is the private id): `<step>.<mac>`. */
export function liveCode(customerId: string, now: Date): string {
  const step = Math.floor(now.getTime() / (LIVE_CODE_SECONDS * 1000));
  const mac = macOf("live-codes", shownText(customerId, step)).subarray(0, MAC_BYTES);
  return `${step}.${mac.toString("base64url")}`;
}

/** The step of a live code that this customer's card showed within the last 60 seconds, else null. */
export function liveCodeStep(customerId: string, code: string, now: Date): number | null {
  const match = /^(\d{1,12})\.([A-Za-z0-9_-]{16})$/.exec(code);
  if (!match) return null;
  const step = Number(match[1]);
  const age = now.getTime() / 1000 - step * LIVE_CODE_SECONDS;
  const mac = Buffer.from(match[2] ?? "", "base64url");
  const good =
    mac.length === MAC_BYTES &&
    acceptedMacs("live-codes", shownText(customerId, step)).some((expected) =>
      timingSafeEqual(mac, expected.subarray(0, MAC_BYTES)),
    );
  return good && age >= 0 && age <= ACCEPTED_SECONDS ? step : null;
}
