import type { ActorFrom, HolderContext } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { linkTokenSchema } from "@/lib/domain/card-holder";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { MERCHANT_NAMES, type MerchantNames } from "@/lib/domain/merchant-name";
import { linkedId } from "@/lib/secrets/mailed-link";
import { stopEmailChange } from "./email-changes";

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
export async function stoppableChange(
  ctx: HolderContext,
  input: { token: string },
): Promise<StoppableChange> {
  authorize(ctx.actor, "card.stop");
  const { newEmail, dueAt, customer } = await linkedChange(ctx, input.token);
  return { ...customer.merchant, email: maskEmail(newEmail), dueAt };
}
stoppableChange.permission = "card.stop" as const;
stoppableChange.input = linkTokenSchema;
stoppableChange.actorFrom = holderByLink;

/** Stops a change of the card's e-mail with the link mailed to the present address. Throws link_invalid, link_used. */
export async function stopChangeByLink(
  ctx: HolderContext,
  input: { token: string },
): Promise<{ stopped: true }> {
  const { customerId } = authorize(ctx.actor, "card.stop");
  const { id } = await linkedChange(ctx, input.token);
  const { merchantId } = ctx.actor;
  const stopped = await ctx.db.$transaction((tx) => stopEmailChange(tx, ctx, { customerId, merchantId, id }));
  if (!stopped) throw new DomainError("link_used");
  return { stopped: true };
}
stopChangeByLink.permission = "card.stop" as const;
stopChangeByLink.input = linkTokenSchema;
stopChangeByLink.actorFrom = holderByLink;
