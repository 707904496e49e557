import { cardColours } from "@/lib/cards/model/card-colours";
import type { Queries, Tx } from "@/lib/db/client";
import type { User } from "@/lib/db/generated/client";
import { activeOwners } from "@/lib/db/query";
import { type MerchantNames, merchantName } from "@/lib/domain/localized-names";
import { type Locale, localeOr } from "@/lib/domain/roles";
import { env } from "@/lib/env";
import { logoUrl } from "@/lib/files/logo";
import { plainNotePath } from "@/lib/files/note";
import { traceparent } from "@/lib/observe/trace";
import type { MailLook } from "./content";
import type { EmailLane } from "./message";
import { renderEmail, type TemplateName, type TemplateParams } from "./render";

// Codes, links that prove a mailbox, and what goes to card holders.
const AT_ONCE: readonly TemplateName[] = [
  "confirm_mailbox",
  "password_reset",
  "worker_invite",
  "admin_invite",
  "receipt",
  "card_welcome",
  "my_cards",
  "card_device",
  "email_changed",
  "email_change_asked",
];

export type QueuedEmail<Name extends TemplateName = TemplateName> = {
  to: string;
  template: Name;
  params: TemplateParams[Name];
  locale: Locale;
  /** The id of the merchant that speaks to its customer or its people. Without one, and before its approval, the product does. */
  shop?: string | null;
  /** The id of the outbox row. A second e-mail with the same id is not written. */
  id?: string;
  /** The customer whose name or card it is about. Deleting the card deletes the e-mail, also one to the merchant's owner. */
  customerId?: string | null;
  /** The trace that caused it. Default: the current one. */
  traceparent?: string | null;
  /** Seconds after which its code or link has ended: it is not sent any more, and its text is removed. */
  expiresIn?: number;
};

/**
 * Writes an e-mail to the outbox in the caller's transaction, so it is sent only if that commits. A worker finds it
 * within half a second. What goes to a user who has not proved their mailbox waits until they do. Answers the id of the
 * outbox row.
 */
export async function queueEmail<Name extends TemplateName>(
  tx: Queries,
  email: QueuedEmail<Name>,
): Promise<string> {
  const [id = email.id ?? ""] = await queueEmails(tx, [email]);
  return id;
}

/** How long an e-mail waits for its recipient to prove the mailbox; then it is given up. */
const UNPROVED_FOR = "30 days";

/** Makes due what waited for a proof of the mailbox, now at `to`. Call it in the transaction of the proof. */
export async function sendWaitingEmails(tx: Queries, recipient: string, to = recipient): Promise<void> {
  // Only an e-mail that waits ends at the moment of its first try: a code to the same address is somebody else's.
  await tx.$queryRaw`
    update emails set next_try_at = now(), recipient = ${to}
    where recipient = ${recipient} and status = 'queued' and attempts = 0 and claimed_by is null
      and next_try_at > now() and expires_at = next_try_at
    returning id::text as id`;
}

/** Sends a customer's waiting receipts to a new address. Call it after the change, in its transaction. */
export async function readdressReceipts(tx: Queries, customerId: string, recipient: string): Promise<void> {
  await tx.$queryRaw`
    update emails set recipient = ${recipient}, claimed_by = null, batch = null, next_try_at = now()
    where customer_id = ${customerId}::uuid and lane = 'receipt' and status = 'queued' and recipient <> ${recipient}
    returning id::text as id`;
}

type Shop = MerchantNames & {
  id: string;
  publicId: string;
  picture: string | null;
  colour: string | null;
  logoKey: string | null;
};

/** Reads the approved merchants of these ids. Answers how e-mails of one look; undefined for any other. */
async function readLooks(tx: Queries, ids: string[]) {
  const shops = ids.length
    ? await tx.$queryRaw<Shop[]>`
        select m.id::text as id, m.public_id::text as "publicId", m.business_name as "businessName", m.business_name_ar as "businessNameAr",
          m.logo_key as "logoKey", m.colour, u.colour as picture
        from merchants m left join uploads u on u.key = m.image_key
        where m.id = any(${[...new Set(ids)]}::uuid[]) and m.status = 'approved'`
    : [];
  // Finding a shop's colours takes as long as the rest of an e-mail, and a batch has many e-mails of one shop.
  const drawn = new Map(
    shops.map((shop) => {
      const colours = cardColours(shop.id, shop.picture, shop.colour);
      const note = `${env().APP_URL}${plainNotePath({ id: shop.publicId, colours })}`;
      return [shop.id, { shop, colour: colours.via, note, logo: logoUrl(shop.logoKey) }];
    }),
  );
  return (id: string | null | undefined, locale: Locale): MailLook | undefined => {
    const found = drawn.get(id ?? "");
    if (!found) return undefined;
    const { shop, ...look } = found;
    return { sender: merchantName(shop, locale), ...look };
  };
}

/** Writes many e-mails to the outbox in one statement. Answers the ids of the new rows, without existing ones. */
export async function queueEmails<Name extends TemplateName>(
  tx: Queries,
  emails: QueuedEmail<Name>[],
): Promise<string[]> {
  if (emails.length === 0) return [];
  const lookOf = await readLooks(
    tx,
    emails.flatMap(({ shop }) => shop ?? []),
  );
  const rows = emails.map(({ to, template, params, locale, id = null, customerId = null, ...more }) => ({
    ...renderEmail(template, params, locale, lookOf(more.shop, locale)),
    to,
    locale,
    id,
    customerId,
    expiresIn: more.expiresIn ?? null,
    traceparent: more.traceparent ?? traceparent(),
    lane: (template === "receipt" ? "receipt" : "account") satisfies EmailLane,
    /** Whether it waits until its user has proved the mailbox. */
    waits: !template.startsWith("code_") && !AT_ONCE.includes(template),
  }));
  const column = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key]);
  const written = await tx.$queryRaw<{ id: string }[]>`
    insert into emails (id, customer_id, lane, recipient, subject, text, html, locale, traceparent, expires_at,
      next_try_at)
    select coalesce(e.id, uuidv7()), customer_id, lane::"EmailLane", recipient, subject, text, html, e.locale, traceparent,
      case when u.unproved then now() + ${UNPROVED_FOR}::interval else now() + expires_in * interval '1 second' end,
      case when u.unproved then now() + ${UNPROVED_FOR}::interval else now() end
    from unnest(${column("id")}::uuid[], ${column("customerId")}::uuid[], ${column("lane")}::text[],
      ${column("to")}::text[], ${column("subject")}::text[], ${column("text")}::text[], ${column("html")}::text[],
      ${column("locale")}::text[], ${column("traceparent")}::text[], ${column("expiresIn")}::int[],
      ${column("waits")}::boolean[])
      as e(id, customer_id, lane, recipient, subject, text, html, locale, traceparent, expires_in, waits)
    -- The lock makes a proof at the same time see these e-mails, or be seen here.
    left join lateral (
      select true as unproved from users where e.waits and email = e.recipient and email_proved_at is null for share
    ) u on true
    on conflict (id) do nothing
    returning id::text as id`;
  return written.map(({ id }) => id);
}

export const MAILED_USER = { email: true, firstName: true, merchantId: true, locale: true } as const;
export type MailedUser = Pick<User, keyof typeof MAILED_USER>;

/** E-mails a user in their language, or else in the reader's. `params` fill the template beside the name. */
export async function mailUser<Name extends TemplateName>(
  tx: Queries,
  reader: { locale: Locale },
  { email: to, firstName: name, merchantId: shop, locale: stored }: MailedUser,
  template: Name,
  params: Omit<TemplateParams[Name], "name">,
  id?: string,
): Promise<void> {
  const filled = { ...params, name } as unknown as TemplateParams[Name];
  await queueEmail(tx, { id, to, template, shop, locale: localeOr(stored, reader.locale), params: filled });
}

/** E-mails the active owners of a merchant, each in their language. `paramsOf` fills the template for an owner. */
export async function mailOwners<Name extends TemplateName>(
  tx: Tx,
  merchantId: string,
  template: Name,
  paramsOf: (owner: { name: string; locale: Locale }) => TemplateParams[Name],
): Promise<void> {
  const owners = await activeOwners(tx, merchantId);
  const emails = owners.map(({ email: to, firstName: name, locale }) => {
    return { to, template, params: paramsOf({ name, locale }), locale };
  });
  await queueEmails(tx, emails);
}
