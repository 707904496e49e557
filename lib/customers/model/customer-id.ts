import { z } from "zod";
import { type Actor, hasPermission } from "@/lib/domain/actor";

/** The id of a customer in an answer or on a page. Only `shownId` makes one, so that no answer forgets who reads it. */
export const shownIdSchema = z
  .string()
  .brand<"ShownId">()
  .describe(
    "The private id of the customer for owners and super_admin; for everybody else the same as sUUID.",
  );
export type ShownId = z.output<typeof shownIdSchema>;

/**
 * The id under which a viewer sees a customer. The private id opens the card: staff get it only as owners and
 * super_admin, and holders from the operations of their card. Everybody else gets the public id.
 */
export function shownId(viewer: Actor | null, customer: { id: string; publicId: string }): ShownId {
  const seen = hasPermission(viewer, "customers.privateId") ? customer.id : customer.publicId;
  return seen as ShownId;
}
