import { byEmailSchema } from "@/lib/accounts/model/account";
import type { Context } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import { MERCHANT_NAMES, type MerchantNames, merchantName } from "@/lib/domain/localized-names";
import { localeOr } from "@/lib/domain/roles";
import { queueEmails } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { askedMail, leaveMailToJob } from "@/lib/jobs/add-job";
import type { Task } from "@/lib/jobs/queue";
import { operation, stranger } from "@/lib/operations/operation";
import { deviceKnownTo } from "@/lib/secrets/known-device";
import { hashSecret, newSecret } from "@/lib/secrets/secrets";
import { cardForCode } from "./card-code";
import { addProvedDevice, lockCard } from "./card-holder";
import { linkTokenSchema } from "./model/card-holder";

const PER_EMAIL: GuardLimit = { name: "my-cards-email", points: 3, seconds: 60 * 60 };
const PER_ADDRESS: GuardLimit = { name: "my-cards-address", points: 50, seconds: 60 * 60 };
// A device that held a card of this address before: strangers who use up the others do not shut it out.
const PER_DEVICE: GuardLimit = { name: "my-cards-device", points: 3, seconds: 60 * 60 };
const LINK_MINUTES = 30;
/** An address may hold cards of many merchants: the ones last used are mailed. */
const MOST_CARDS = 10;

/** Mails a link to each card of the address, good once within 30 minutes. Nothing before the answer tells if there is one. */
export const mailCards = operation({
  permission: "public",
  input: byEmailSchema,
  run: async (ctx, input): Promise<{ sent: true }> => {
    const known = deviceKnownTo(ctx.device, { email: input.email });
    if (known) await consume(ctx.db, PER_DEVICE, `${input.email}|${known}`);
    else {
      await consume(ctx.db, PER_ADDRESS, ctx.address);
      await consume(ctx.db, PER_EMAIL, input.email);
    }
    await leaveMailToJob(ctx, "mail_cards", input.email);
    return { sent: true };
  },
});

/** Mails the links that somebody asked for, to the cards last used, if the address has any. */
export const mailCardLinks: Task = async ({ db }, payload) => {
  const asked = askedMail(payload, LINK_MINUTES);
  if (!asked) return;
  const { email } = asked;
  await db.$transaction(async (tx) => {
    const cards = await tx.customer.findMany({
      where: { email, status: { not: "erased" } },
      orderBy: [{ lastPostedAt: { sort: "desc", nulls: "last" } }, { id: "desc" }],
      take: MOST_CARDS,
      select: { id: true, merchantId: true, locale: true, merchant: { select: MERCHANT_NAMES } },
    });
    const [first] = cards;
    if (!first) return;
    const locale = localeOr(first.locale, asked.locale);
    const links = cards.map(({ id, merchant }) => ({
      id,
      merchant: merchantName(merchant, locale),
      secret: newSecret(),
    }));
    const mail = {
      id: asked.mailId,
      to: email,
      // An e-mail about one card looks like the card, and is deleted with it.
      customerId: cards.length === 1 ? first.id : null,
      shop: cards.length === 1 ? first.merchantId : null,
      template: "my_cards" as const,
      locale,
      params: {
        cards: links.map(({ merchant, secret }) => ({
          merchant,
          url: `${env().APP_URL}/card/open/${secret}`,
        })),
        minutes: LINK_MINUTES,
      },
      expiresIn: LINK_MINUTES * 60,
    };
    if ((await queueEmails(tx, [mail])).length === 0) return;
    const expiresAt = new Date(asked.askedAt.getTime() + LINK_MINUTES * 60_000);
    await tx.cardLink.createMany({
      data: links.map(({ id, secret }) => ({
        tokenHash: hashSecret(secret),
        customerId: id,
        email,
        expiresAt,
      })),
    });
  });
};

/** The card of a mailed link that still works. Throws link_used. */
async function linkedCard(ctx: Pick<Context, "db" | "clock">, token: string) {
  const link = await ctx.db.cardLink.findFirst({
    where: { tokenHash: hashSecret(token), expiresAt: { gt: ctx.clock() } },
    select: { customerId: true, email: true },
  });
  const card = link && (await cardForCode(ctx, link.customerId, "link_used"));
  if (!card || card.email !== link.email) throw new DomainError("link_used");
  return card;
}

/** The merchant whose card a mailed link opens. It changes nothing, since mail scanners open links. Throws link_used. */
export const openableCard = operation({
  permission: "card.view",
  input: linkTokenSchema,
  readOnly: true,
  actorFrom: stranger,
  run: async (ctx, input): Promise<MerchantNames> => {
    const { businessName, businessNameAr } = await linkedCard(ctx, input.token);
    return { businessName, businessNameAr };
  },
});

/** Makes this device one of the holder's with a mailed link, and mails how to end it. Throws link_used. */
export const openCard = operation({
  permission: "public",
  input: linkTokenSchema,
  run: async (ctx, input): Promise<{ customerId: string; holderToken: string; email: string }> => {
    const card = await linkedCard(ctx, input.token);
    const { id, email } = card;
    const holderToken = await ctx.db.$transaction(async (tx) => {
      // Before the link is taken, so that one which a freeze has just ended opens nothing.
      if (!(await lockCard(tx, id, email))) throw new DomainError("link_used");
      const { count } = await tx.cardLink.deleteMany({
        where: { tokenHash: hashSecret(input.token), expiresAt: { gt: ctx.clock() } },
      });
      const token = count === 0 ? null : await addProvedDevice(tx, ctx, card);
      if (token === null) throw new DomainError("link_used");
      return token;
    });
    return { customerId: id, holderToken, email };
  },
});
