import type { HolderContext } from "@/lib/db/context";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { MERCHANT_NAMES, type MerchantNames } from "@/lib/domain/merchant-name";
import { type ActorFrom, operation } from "@/lib/operations/operation";
import { linkedId } from "@/lib/secrets/secrets";
import { stopEmailChange } from "./email-changes";
import { linkTokenSchema } from "./model/card-holder";

async function linkedChange(ctx: Pick<HolderContext, "db">, token: string) {
  const id = linkedId("email change", token);
  if (id === null) throw new DomainError("link_invalid");
  const row = isId(id)
    ? await ctx.db.emailChange.findUnique({
        where: { id },
        select: {
          id: true,
          newEmail: true,
          dueAt: true,
          customer: { select: { id: true, merchantId: true, merchant: { select: MERCHANT_NAMES } } },
        },
      })
    : null;
  if (!row) throw new DomainError("link_used");
  return row;
}

/**
 * Answers the card holder as the actor. The link went to the replaced mailbox, so anyone who can read that
 * mailbox may use it. Throws link_invalid, and link_used if no change is pending.
 */
const holderByLink: ActorFrom<{ token: string }> = async (ctx, { token }) => {
  const { customer } = await linkedChange(ctx, token);
  return { type: "cardHolder", customerId: customer.id, merchantId: customer.merchantId, deviceId: null };
};

/** The change that a link stops: the new address is masked. It changes nothing, since mail scanners open links. */
export type StoppableChange = MerchantNames & { email: string; dueAt: Date };

/** The change that a mailed link stops. Throws link_invalid, and link_used when it was applied or stopped. */
export const stoppableChange = operation({
  permission: "card.stop",
  input: linkTokenSchema,
  readOnly: true,
  actorFrom: holderByLink,
  run: async (ctx, input): Promise<StoppableChange> => {
    const { newEmail, dueAt, customer } = await linkedChange(ctx, input.token);
    return { ...customer.merchant, email: maskEmail(newEmail), dueAt };
  },
});

/** Stops a change of the card's e-mail with the link mailed to the present address. Throws link_invalid, link_used. */
export const stopChangeByLink = operation({
  permission: "card.stop",
  input: linkTokenSchema,
  actorFrom: holderByLink,
  run: async (ctx, input): Promise<{ stopped: true }> => {
    const { customerId } = ctx.reach;
    const { id } = await linkedChange(ctx, input.token);
    const { merchantId } = ctx.actor;
    const stopped = await ctx.db.$transaction((tx) =>
      stopEmailChange(tx, ctx, { customerId, merchantId, id }),
    );
    if (!stopped) throw new DomainError("link_used");
    return { stopped: true };
  },
});
