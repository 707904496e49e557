import { type Activity, type ActivityChange, changesOf } from "@/lib/activity/model";
import { DAY_POINTS } from "@/lib/api-keys/model";
import { formatPhone } from "@/lib/domain/contact";
import { type KeyScope, SCOPE_TEXTS } from "@/lib/domain/key-scopes";
import { cashValue, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { formatNumericDate } from "@/lib/domain/time";
import { HOLD_SECONDS } from "@/lib/holds/model";
import { type Messages, translator } from "./translate";

type Translator = ReturnType<typeof translator>;
type Key = Parameters<Translator>[0];
type Field = keyof Messages["activity"]["fields"];
type Sentence = keyof Messages["activity"]["did"];

// Isolates a name, so that its direction does not reorder the words around it.
const isolated = (text: string) => `\u2068${text}\u2069`;

/** Fields whose values mean nothing to a reader. */
const OPAQUE = new Set(["branchId", "imageKey", "logoKey"]);
/** Actions that are described by their changes, as "changed" of any kind is. */
const CHANGES = new Set<Activity["action"]>([
  "config.withdrawn",
  "customer.edit",
  "customer.email",
  "merchant.settings",
  "profile.email",
]);

/** Fields in dirhams, which a reader knows as riyals. */
const MONEY = new Set(["dirhamsPerPoint", "drawerTolerance"]);
/** Fields without a value: they limit nothing. */
const LIMITS: Record<string, Key> = {
  addresses: "activity.values.all",
  maxPointsOne: "activity.values.noLimit",
  workerDailyCap: "activity.values.noLimit",
};
/** The values of fields that are not set. */
const DEFAULTS: Record<string, unknown> = { maxHoldSeconds: HOLD_SECONDS.most, maxPointsDay: DAY_POINTS };
/** Fields whose values are codes, with the name of a code in the catalogues. */
const CODES: Record<string, (code: string) => string> = {
  locale: (code) => `merchants.print.languages.${code}`,
  role: (code) => `roles.${code}.label`,
  scopes: (code) => `apiKeys.scope.${SCOPE_TEXTS[code as KeyScope]}`,
  spendOrder: (code) => `settings.redemptions.orders.${code}`,
  tenders: (code) => `movements.tenders.${code}`,
};

function valueText(t: Translator, locale: Locale, field: string, given: unknown): string {
  const value = given ?? DEFAULTS[field];
  if (MONEY.has(field) && typeof value === "number") return isolated(formatQar(cashValue(value, 1), locale));
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0))
    return t(LIMITS[field] ?? "activity.values.nothing");
  if (typeof value === "boolean") return t(value ? "activity.values.yes" : "activity.values.no");
  if (Array.isArray(value))
    return value.map((one) => valueText(t, locale, field, one)).join(locale === "ar" ? "، " : ", ");
  if (typeof value === "object") return isolated(JSON.stringify(value));
  const text = String(value);
  const name = CODES[field]?.(text) as Key | undefined;
  if (name && t.has(name)) return isolated(t(name));
  return isolated(text.startsWith("+") ? formatPhone(text) : formatNumericDate(text));
}

function fieldText(t: Translator, field: string): string {
  const key = `activity.fields.${field as Field}` as const;
  return t.has(key) ? t(key) : isolated(field);
}

function changeText(
  locale: Locale,
  { field, from, to }: ActivityChange,
  first: boolean,
  who: object,
): string {
  const t = translator(locale);
  const words = { ...who, field: fieldText(t, field) };
  if (OPAQUE.has(field)) return t(first ? "activity.changed" : "activity.changedMore", words);
  const values = { ...words, from: valueText(t, locale, field, from), to: valueText(t, locale, field, to) };
  return t(first ? "activity.changedFromTo" : "activity.changedFromToMore", values);
}

type SentenceOf<Action extends string> = Action extends `${infer Kind}.${infer Deed}`
  ? `${Kind}_${Deed}`
  : never;
/** The catalogue's key of an action. Its type names an action without a sentence. */
const sentenceOf = (action: Activity["action"]): Sentence & SentenceOf<Activity["action"]> =>
  action.replace(".", "_") as SentenceOf<Activity["action"]>;

/** Answers the actor's name, in the reader's language. */
export function activityActor(locale: Locale, { actor }: Pick<Activity, "actor">): string {
  const t = translator(locale);
  if (actor.type === "user") return isolated(actor.name ?? "");
  if (actor.type === "cardHolder" && actor.name)
    return t("activity.who.cardHolderNamed", { name: isolated(actor.name) });
  if (actor.type === "apiKey" && actor.name)
    return t("activity.who.apiKeyNamed", { name: isolated(actor.name) });
  return t(`activity.who.${actor.type}`);
}

function recordText(locale: Locale, activity: Activity): string {
  const t = translator(locale);
  const { entity, entityId, entityName, entityNameAr, actor, before, after } = activity;
  if (entity === "user" && actor.id === entityId && entityId) return t("activity.about.self");
  // As it was called then.
  const known = before?.name ?? after?.name ?? ((locale === "ar" && entityNameAr) || entityName);
  if (typeof known === "string") return t(`activity.about.${entity}`, { name: isolated(known) });
  return entity === "customer"
    ? t("activity.about.deletedCustomer")
    : t(`activity.about.${entity}`, { name: "–" });
}

/** An activity in a sentence or two: "Layla Hassan changed the name of the branch Souq from A to B." */
export function activityText(locale: Locale, activity: Activity): string {
  const t = translator(locale);
  const who = activityActor(locale, activity);
  const words = { who, about: recordText(locale, activity) };
  const isChange = activity.action.endsWith(".changed") || CHANGES.has(activity.action);
  const changes = isChange ? changesOf(activity) : [];
  if (changes.length > 0) return changes.map((one, at) => changeText(locale, one, at === 0, words)).join(" ");
  const known = { ...activity.before, ...activity.after };
  const text = (name: string) => {
    const value = known[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const key = sentenceOf(activity.action);
  return t(`activity.did.${key}`, {
    ...words,
    reason: text("reason"),
    because: text("reason") ? "yes" : "no",
    email: isolated(text("email")),
    worker: isolated(text("worker")),
    number: text("number"),
    money: isolated(formatQar(cashValue(Number(text("dirhams")), 1), locale)),
    here: String(known.here === true),
    count: Number(text("sessions") || text("openings") || text("entries") || 0),
    points: Number(text("points") || 0),
  });
}
