import { CodePurpose } from "@/lib/db/generated/client";
import { cashValue, formatCount, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { formatDate, formatDateTime } from "@/lib/domain/time";
import {
  type Block,
  button,
  facts,
  note,
  type Template,
  type TemplateContext,
  text,
} from "@/lib/email/content";
import type { Messages } from "@/lib/i18n/translate";
import type { MovementType } from "@/lib/ledger/model/movements";
import type { Tender } from "@/lib/ledger/model/tender";

type Texts = Messages["email"];
type TextKey<Name extends keyof Texts> = {
  [Key in keyof Texts[Name]]: Texts[Name][Key] extends string ? Key : never;
}[keyof Texts[Name]] &
  string;
type Values = Record<string, string | number>;

/** `say` answers one of the e-mail's own texts. The parameters fill its placeholders by their names; `time` is `at`. */
type Letter<Name extends keyof Texts, Params> = TemplateContext & {
  params: Params;
  time: string;
  say: (key: TextKey<Name>, more?: Values) => string;
};
type Part<Name extends keyof Texts, Params> =
  | Extract<TextKey<Name>, "body" | "note" | "action">
  | ((letter: Letter<Name, Params>) => Block | Block[]);

/** Every letter may have these: whom it greets, the shop that it is about, the address behind its button, its time. */
type Given = { name?: string | null; merchant?: string; url?: string; at?: Date };

type Named = { name: string };
type Link = { url: string };
type OfMerchant = Named & { merchant: string };
type Dated = Named & { at: Date };
type Refused = OfMerchant & { reason: string };
type Place = { device: string | null; address: string | null };
type PinLocked = Dated & Link & { till: string; branch: string };
/** `prefix` is the key's first characters. */
type OfKey = Dated & Link & { key: string; prefix: string };

type Letters = {
  /** `minutes` is the lifetime of the link. Without a name for a mailbox that is not proved: a stranger typed it. */
  password_reset: Link & { name: string | null; minutes: number };
  /** `days` is the lifetime of the link. */
  worker_invite: OfMerchant & Link & { days: number };
  admin_invite: Named & Link & { days: number };
  /** With nothing that the stranger typed. */
  confirm_mailbox: Link;
  /** `url` sets a new password. */
  new_device: Dated & Link & Place;
  password_changed: Dated & Link;
  pin_set: Dated & Link;
  pin_removed: Dated & Link;
  /** Which tries are used up, and the address of the last one. */
  tries_used_up: Dated & Link & Pick<Place, "address"> & { what: "password" | "factor" };
  second_factor_changed: Dated & { change: "added" | "removed" | "codes" | "recovered"; factor: string };
  /** `email` is the new address, masked. */
  staff_email_changed: Dated & { email: string };

  merchant_received: OfMerchant & Link;
  merchant_approved: OfMerchant & { loginUrl: string; signupUrl: string };
  merchant_rejected: Refused;
  merchant_suspended: Refused;
  merchant_reinstated: OfMerchant & { loginUrl: string };
  profile_decided: OfMerchant & Link & { decision: "approved" | "rejected"; reason: string | null };

  card_welcome: OfMerchant & Link;
  card_frozen: OfMerchant & Dated & Link & { customer: string };
  /** `url` leads the owner to the customer. */
  unfreeze_asked: OfMerchant & Link & { customer: string };
  /** `email` is the new address, masked; `notMeUrl` is the link to freeze the card. */
  email_changed: OfMerchant & Dated & { email: string; notMeUrl: string };
  /** `email` is masked; it is applied `at`; `stopUrl` stops it, if the recipient may; staff's `reason`. */
  email_change_asked: OfMerchant &
    Dated & { email: string; by: "holder" | "staff"; stopUrl?: string; reason?: string };
  card_device: OfMerchant & Dated & Pick<Place, "device"> & { endUrl: string };
  /** `cards`: each with the link that opens it once. */
  my_cards: { cards: { merchant: string; url: string }[]; minutes: number };

  /** `at` is a time on the reported day. `sealed` and `total` are numbers of transactions. `head` is in groups of digits. */
  ledger_day: OfMerchant & Dated & Link & { sealed: number; total: number; head: string };
  many_openings: OfMerchant & Dated & Link & { person: string; openings: number };
  worker_pin_locked: PinLocked & { worker: string };
  till_pins_locked: PinLocked;
  /** Of the tender that differs most; amounts in dirhams. */
  drawer_difference: PinLocked & {
    worker: string;
    report: number;
    tender: Tender;
    expected: number;
    counted: number;
  };

  /** `person` is empty for an administrator of the platform. */
  api_key_changed: OfKey & { change: "created" | "changed" | "rotated" | "revoked"; person: string };
  /** `address` is the one that the key may not be used from. */
  api_key_refused: OfKey & { address: string };
  /** The key's requests and movements of the last 24 hours; `points` are unsigned. */
  api_key_leaked: OfKey & {
    requests: number;
    movements: { type: MovementType; count: number; points: number }[];
  };
  /** `key` is the name of the API key that did it, empty for a person; `person` as in api_key_changed. */
  webhook_changed: Dated &
    Link & {
      host: string;
      change: "created" | "changed" | "deleted" | "rotated";
      person: string;
      key: string;
    };
  /** `change`: a third failure, a day without success, or its end. `host` is the endpoint's. */
  webhook_fails: Dated & Link & { host: string; change: "third" | "day" | "disabled" };
};

const qar = (dirhams: number, locale: Locale) => formatQar(cashValue(dirhams, 1), locale);

/** The letters in the name of the merchant. The product sends the others. */
const FROM_MERCHANT: ReadonlySet<keyof Letters> = new Set<keyof Letters>([
  "worker_invite",
  "card_welcome",
  "card_frozen",
  "unfreeze_asked",
  "email_changed",
  "email_change_asked",
  "card_device",
]);

/** The parts of each letter after its greeting. Its texts are `email.<name>.subject`, `.heading` and those of its parts. */
const PARTS: { [Name in keyof Letters]: readonly Part<Name, Letters[Name]>[] } = {
  password_reset: ["body", "action", "note"],
  worker_invite: ["body", "action", "note"],
  admin_invite: ["body", "action", "note"],
  confirm_mailbox: ["body", "action", "note"],
  new_device: [
    "body",
    ({ t, say, time, params: { device, address } }) =>
      facts(
        [say("time"), time],
        [say("device"), device ?? t("account.sessions.unknown")],
        [say("address"), address],
      ),
    "note",
    "action",
  ],
  password_changed: ["body", "note", "action"],
  pin_set: ["body", "note", ({ t, params }) => button(t("email.password_changed.action"), params.url)],
  pin_removed: ["body", "note", "action"],
  tries_used_up: [
    "body",
    ({ t, time, params: { address } }) =>
      facts([t("email.new_device.time"), time], [t("email.new_device.address"), address]),
    "note",
    ({ t, params }) => button(t("email.new_device.action"), params.url),
  ],
  second_factor_changed: [
    ({ t, time, params: { change, factor } }) =>
      text(t(`email.second_factor_changed.body.${change}`, { factor, time })),
    "note",
  ],
  staff_email_changed: ["body", "note"],

  merchant_received: ["body", "action"],
  merchant_approved: [
    "body",
    ({ say, params }) => [
      button(say("action"), params.loginUrl),
      text(say("share")),
      facts([say("signupLink"), params.signupUrl]),
    ],
  ],
  merchant_rejected: ["body", ({ say, params }) => facts([say("reason"), params.reason]), "note"],
  merchant_suspended: ["body", ({ say, params }) => facts([say("reason"), params.reason]), "note"],
  merchant_reinstated: ["body", ({ say, params }) => button(say("action"), params.loginUrl)],
  profile_decided: [
    "body",
    ({ t, params: { reason } }) =>
      reason === null ? [] : facts([t("email.merchant_rejected.reason"), reason]),
    "action",
  ],

  card_welcome: ["body", "action", "note"],
  card_frozen: ["body", "action", "note"],
  unfreeze_asked: [
    "body",
    ({ t, params: { url } }) => [
      button(t("email.card_frozen.action"), url),
      note(t("email.card_frozen.note")),
    ],
  ],
  email_changed: [
    "body",
    ({ say, params: { notMeUrl } }) => [note(say("notMe")), button(say("action"), notMeUrl)],
  ],
  email_change_asked: [
    ({ t, say, time, params: { merchant, email, by, reason, stopUrl } }) => [
      text(t(`email.email_change_asked.body.${by}`, { merchant, email, time })),
      ...(reason ? [facts([say("reason"), reason])] : []),
      note(say(stopUrl ? "note" : "noteStaff")),
      ...(stopUrl ? [button(say("action"), stopUrl)] : []),
    ],
  ],
  card_device: [
    "body",
    ({ t, say, time, params: { device, endUrl } }) => [
      facts([say("time"), time], [say("device"), device ?? t("account.sessions.unknown")]),
      note(say("note")),
      button(say("action"), endUrl),
    ],
  ],
  my_cards: [
    "body",
    ({ say, params: { cards } }) => [
      ...cards.map(({ merchant, url }) => button(say("action", { merchant }), url)),
      note(say("note")),
    ],
  ],

  ledger_day: [
    "body",
    ({ say, locale, params: { at, sealed, total, head } }) =>
      facts(
        [say("day"), formatDate(at, locale)],
        [say("sealed"), formatCount(sealed)],
        [say("total"), formatCount(total)],
        [say("head"), head],
      ),
    "action",
    "note",
  ],
  many_openings: [({ say, params }) => text(say("body", { count: params.openings })), "action", "note"],
  worker_pin_locked: ["body", "action"],
  till_pins_locked: ["body", "action"],
  drawer_difference: [
    "body",
    ({ t, say, locale, params: { report, tender, expected, counted } }) =>
      facts(
        [say("report"), String(report)],
        [t("movements.tender"), t(`movements.tenders.${tender}`)],
        [say("expected"), qar(expected, locale)],
        [say("counted"), qar(counted, locale)],
        [say("difference"), qar(counted - expected, locale)],
      ),
    "action",
  ],

  api_key_changed: [
    ({ say, params: { person } }) => [
      text(say("body", { by: person ? "person" : "platform" })),
      text(say("note")),
    ],
    "action",
  ],
  api_key_refused: ["body", ({ say }) => text(say("note")), "action"],
  api_key_leaked: [
    "body",
    ({ t, say, params: { requests, movements } }) => [
      facts(
        [say("requests"), formatCount(requests)],
        ...movements.map(({ type, count, points }): [string, string] => [
          t(`movements.types.${type}`),
          say("sum", { count, points }),
        ]),
      ),
      text(say("note")),
    ],
    "action",
  ],
  webhook_changed: [
    ({ say, params: { person, key } }) => [
      text(say("body", { by: key ? "key" : person ? "person" : "platform" })),
      text(say("note", { by: key ? "key" : "person" })),
    ],
    "action",
  ],
  webhook_fails: ["body", ({ say }) => text(say("note")), "action"],
};

const VALUES: { [Name in keyof Letters]?: (params: Letters[Name], locale: Locale) => Values } = {
  my_cards: ({ cards }) => ({ count: cards.length }),
  ledger_day: ({ at }, locale) => ({ day: formatDate(at, locale) }),
  drawer_difference: ({ counted, expected }, locale) => ({ difference: qar(counted - expected, locale) }),
};

function letter<Name extends keyof Letters>(name: Name): Template<Letters[Name]> {
  return ({ t, locale }, params) => {
    const given = params as Given;
    const time = given.at ? formatDateTime(given.at, locale) : "";
    const values = { ...params, time, ...VALUES[name]?.(params, locale) } as unknown as Values;
    // The types cannot follow a key with the name of an e-mail in it. A test renders each e-mail in each language.
    const tell = t as unknown as (key: string, values: Values) => string;
    const say = (key: string, more?: Values) => tell(`email.${name}.${key}`, { ...values, ...more });
    const blockOf = (part: Part<Name, Letters[Name]>): Block | Block[] => {
      if (typeof part === "function") return part({ t, locale, params, time, say });
      if (part === "action") return button(say("action"), given.url ?? "");
      return part === "note" ? note(say("note")) : text(say("body"));
    };
    return {
      subject: say("subject"),
      sender: (FROM_MERCHANT.has(name) && given.merchant) || t("email.common.product"),
      heading: say("heading"),
      blocks: [
        ...(given.name ? [text(t("email.common.greeting", { name: given.name }))] : []),
        ...PARTS[name].flatMap(blockOf),
      ],
    };
  };
}

export const LETTERS = Object.fromEntries(
  (Object.keys(PARTS) as (keyof Letters)[]).map((name) => [name, letter(name)]),
) as unknown as { [Name in keyof Letters]: Template<Letters[Name]> };

/** `minutes`: its lifetime; `points`: its most; `key`: the API key that asked; `email`: new, masked. */
type CodeParams = {
  merchant: string;
  code: string;
  minutes: number;
  points?: number;
  key?: string;
  email?: string;
};
type CodeTemplate = `code_${CodePurpose}`;

const codeTemplate =
  (template: CodeTemplate): Template<CodeParams> =>
  ({ t }, { merchant, code, minutes, points = 0, key, email = "" }) => {
    const byKey = template === "code_redeem" && key !== undefined;
    return {
      // Without the code: subjects stand on locked screens and in the logs of mail servers.
      subject: t(`email.${template}.subject`, { merchant }),
      sender: merchant,
      heading: t(`email.${template}.heading`),
      blocks: [
        text(
          byKey
            ? t("email.code_redeem.bodyOfKey", { merchant, points, key })
            : t(`email.${template}.body`, { merchant, points, email }),
        ),
        { kind: "code", code },
        text(t("email.common.codeLifetime", { minutes })),
        note(t(byKey ? "email.code_redeem.noteOfKey" : `email.${template}.note`)),
      ],
    };
  };

export const CODE_TEMPLATES = Object.fromEntries(
  Object.values(CodePurpose).map((purpose) => [`code_${purpose}`, codeTemplate(`code_${purpose}`)]),
) as Record<CodeTemplate, Template<CodeParams>>;
