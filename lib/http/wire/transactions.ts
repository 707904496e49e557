import { z } from "zod";
import {
  type LoggedMovement,
  MOVEMENT_TYPES,
  type MovementLink,
  type Page,
  PROOF_KINDS,
} from "@/lib/domain/movements";
import type { Locale } from "@/lib/domain/roles";
import { translateKey } from "../problems";
import { movementShape, toMovementWire } from "./money";
import { same } from "./names";

/** GET transactions/export. Both days are Asia/Qatar days and are included. */
export const exportQuery = {
  ...same("type", "from", "to", "search"),
  merchant: "merchantId",
  branch: "branchId",
  worker: "workerId",
  customer: "customerId",
} as const;

/** GET transactions. The default order is newest first (-time). */
export const transactionsQuery = { ...exportQuery, ...same("cursor", "limit", "sort") } as const;

const link = z.object({
  _id: z.string(),
  eType: z.enum(MOVEMENT_TYPES),
  sPoints: z.number(),
  dCreatedAt: z.iso.datetime(),
});
const linkFrom = (from: MovementLink): z.output<typeof link> => ({
  _id: from.id,
  eType: from.type,
  sPoints: from.points,
  dCreatedAt: from.createdAt.toISOString(),
});

const logged = movementShape.extend({
  /** The actor. Only a user has an id; for others it names their kind. */
  actor: z.object({
    eType: z.enum(["user", "apiKey", "cardHolder", "system"]),
    _id: z.string().optional(),
    sName: z.string(),
  }),
  merchant: z.object({ _id: z.string(), sBusinessName: z.string() }),
  sReason: z.string().nullable(),
  eProof: z.enum(PROOF_KINDS),
  reverses: link.optional(),
  reversedBy: link.optional(),
});

function actorFrom({ type, id, name }: LoggedMovement["actor"], locale: Locale) {
  if (type === "user") return { eType: type, _id: id, sName: name };
  return { eType: type, sName: translateKey(locale, `movements.actors.${type}`) };
}

function loggedFrom(movement: LoggedMovement, locale: Locale): z.output<typeof logged> {
  return {
    ...toMovementWire(movement),
    actor: actorFrom(movement.actor, locale),
    merchant: { _id: movement.merchant.id, sBusinessName: movement.merchant.businessName },
    sReason: movement.reason,
    eProof: movement.proof,
    ...(movement.reverses ? { reverses: linkFrom(movement.reverses) } : {}),
    ...(movement.reversedBy ? { reversedBy: linkFrom(movement.reversedBy) } : {}),
  };
}

export const transactionsReply = {
  schema: z.object({ results: z.array(logged), nextCursor: z.string().nullable() }),
  from: ({ results, nextCursor }: Page<LoggedMovement>, locale: Locale) => ({
    results: results.map((movement) => loggedFrom(movement, locale)),
    nextCursor,
  }),
};
