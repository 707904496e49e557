import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import { customerNumber } from "@/lib/customers/model/customer-code";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import { MERCHANT_REF } from "@/lib/domain/localized-names";
import { cashValue } from "@/lib/domain/money";
import { DEFAULT_LOCALE } from "@/lib/domain/roles";
import { env } from "@/lib/env";
import { logoUrl } from "@/lib/files/logo";
import { imageUrl } from "@/lib/files/media-url";
import { noteUrl } from "@/lib/files/note";
import { coloursOfMerchant } from "@/lib/files/picture-colour";
import { translator } from "@/lib/i18n/translate";
import type { Task } from "@/lib/jobs/queue";
import { operation, stranger } from "@/lib/operations/operation";
import { passQrLink, remarks } from "./apple-pass";
import { appleSettings } from "./apple-settings";
import { type PassCard, passOfCard, readPassCard } from "./pass-card";

const SCOPE = "https://www.googleapis.com/auth/wallet_object.issuer";

/** A LocalizedString of Google Wallet in both languages; `locale` is the default. */
function localized(key: "cash" | "worth" | "description", locale: PassCard["locale"]) {
  return {
    defaultValue: { language: locale, value: translator(locale)(`pass.${key}`) },
    translatedValues: (["en", "ar"] as const)
      .filter((other) => other !== locale)
      .map((other) => ({ language: other, value: translator(other)(`pass.${key}`) })),
  };
}

/** All cards of a merchant share it: https://developers.google.com/wallet/reference/rest/v1/loyaltyclass */
function loyaltyClass(settings: GoogleSettings, merchant: PassCard["merchant"]) {
  const image = logoUrl(merchant.logoKey) ?? imageUrl(merchant.imageKey);
  return {
    id: `${settings.issuerId}.${merchant.id}`,
    issuerName: merchant.businessName,
    localizedIssuerName: {
      defaultValue: { language: "en", value: merchant.businessName },
      // Sent when empty too, so that a removed name goes.
      translatedValues: merchant.businessNameAr ? [{ language: "ar", value: merchant.businessNameAr }] : [],
    },
    programName: translator(DEFAULT_LOCALE)("pass.description"),
    localizedProgramName: localized("description", DEFAULT_LOCALE),
    heroImage: { sourceUri: { uri: noteUrl(merchant) } },
    programLogo: { sourceUri: { uri: image ?? `${env().APP_URL}/icon-512.png` } },
    hexBackgroundColor: merchant.colours.via,
    reviewStatus: "UNDER_REVIEW",
  };
}

/** The loyalty object of a card. See https://developers.google.com/wallet/reference/rest/v1/loyaltyobject */
function loyaltyObject(settings: GoogleSettings, card: PassCard) {
  const label = translator(card.locale);
  const micros = String(BigInt(card.available) * BigInt(card.dirhamsPerPoint) * 10_000n);
  const worth = `QAR ${cashValue(card.available, card.dirhamsPerPoint)}`;
  return {
    id: `${settings.issuerId}.${card.serial}`,
    classId: `${settings.issuerId}.${card.merchant.id}`,
    state: card.voided ? "INACTIVE" : "ACTIVE",
    accountId: customerNumber(card),
    accountName: card.fullName,
    loyaltyPoints: {
      label: label("pass.cash"),
      localizedLabel: localized("cash", card.locale),
      balance: { int: card.available },
    },
    secondaryLoyaltyPoints: {
      label: label("pass.worth"),
      localizedLabel: localized("worth", card.locale),
      balance: { money: { micros, currencyCode: "QAR" } },
    },
    barcode: {
      type: "QR_CODE",
      value: passQrLink(card.publicId, "google"),
      alternateText: customerNumber(card),
    },
    textModulesData: [
      { id: "worth", header: label("pass.worth"), body: worth },
      ...remarks(card.locale, card).map((of) => ({
        id: of.key,
        header: label(`pass.${of.label}`),
        body: of.text,
      })),
    ],
  };
}

/** The "Add to Google Wallet" link of a card, by its private id: a signed JWT with class and object. */
export const googleSaveLink = operation({
  permission: "card.view",
  input: byIdSchema,
  errors: ["customer_not_found", "customer_erased", "wallet_unavailable"],
  readOnly: true,
  actorFrom: stranger,
  run: async (ctx, input): Promise<{ url: string }> => {
    const settings = googleSettings();
    if (!settings) throw new DomainError("wallet_unavailable");
    const card = await passOfCard(ctx.db, input.id, { google: true });
    const key = await importPKCS8(settings.privateKey, "RS256");
    const jwt = await new SignJWT({
      typ: "savetowallet",
      origins: [new URL(env().APP_URL).origin],
      payload: {
        loyaltyClasses: [loyaltyClass(settings, card.merchant)],
        loyaltyObjects: [loyaltyObject(settings, card)],
      },
    })
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .setIssuer(settings.clientEmail)
      .setAudience("google")
      .setIssuedAt()
      .sign(key);
    return { url: `https://pay.google.com/gp/v/save/${jwt}` };
  },
});

const tokenSchema = z.object({ access_token: z.string(), expires_in: z.number() });
let token: { value: string; until: number } | undefined;

let requested: Promise<string> | undefined;

/** An access token of the service account. Concurrent updates share one request for it. */
async function accessToken(settings: GoogleSettings): Promise<string> {
  if (token && Date.now() < token.until) return token.value;
  requested ??= requestToken(settings).finally(() => {
    requested = undefined;
  });
  return requested;
}

/** The patience with Apple and Google, in milliseconds. A test that holds an answer back makes it longer. */
export const walletServices = { patience: 10_000 };

/** Requests an access token with a signed assertion (RFC 7523). */
async function requestToken(settings: GoogleSettings): Promise<string> {
  const { GOOGLE_TOKEN_URL } = env();
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(settings.clientEmail)
    .setAudience(GOOGLE_TOKEN_URL)
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(await importPKCS8(settings.privateKey, "RS256"));
  const response = await fetch(GOOGLE_TOKEN_URL, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }),
    signal: AbortSignal.timeout(walletServices.patience),
  });
  if (!response.ok) throw new Error(`Google's token service answered ${response.status}`);
  const answer = tokenSchema.parse(await response.json());
  token = { value: answer.access_token, until: Date.now() + (answer.expires_in - 60) * 1000 };
  return token.value;
}

/** Patches a class or object at Google. Ignores 404, which means that no user saved it. Throws on any other refusal. */
async function patch(
  settings: GoogleSettings,
  kind: "loyaltyClass" | "loyaltyObject",
  state: { id: string },
): Promise<void> {
  const url = `${env().GOOGLE_WALLET_URL}/walletobjects/v1/${kind}/${encodeURIComponent(state.id)}`;
  const response = await fetch(url, {
    method: "PATCH",
    headers: { authorization: `Bearer ${await accessToken(settings)}`, "content-type": "application/json" },
    body: JSON.stringify(state),
    signal: AbortSignal.timeout(walletServices.patience),
  });
  if (response.status === 401) token = undefined;
  if (!response.ok && response.status !== 404) throw new Error(`Google Wallet answered ${response.status}`);
}

const passPayload = z.object({ customerId: z.uuid() });

/**
 * Updates the card's Google Wallet object, again if the card changed meanwhile: another update of it may run beside this
 * one, and the older one may reach Google last. Throws when Google refuses, so that the job is retried.
 */
export const updateGooglePassTask: Task = async ({ db }, payload) => {
  const settings = googleSettings();
  if (!settings) return;
  const { customerId } = passPayload.parse(payload);
  for (let sent = ""; ; ) {
    const card = await readPassCard(db, { customerId });
    if (!card) return;
    const object = loyaltyObject(settings, card);
    const state = JSON.stringify(object);
    if (state === sent) return;
    await patch(settings, "loyaltyObject", object);
    sent = state;
  }
};

const classPayload = z.object({ merchantId: z.string() });

/** Updates what the cards show of a merchant in its Google Wallet class. Throws when Google refuses. */
export const updateGoogleClassTask: Task = async ({ db }, payload) => {
  const settings = googleSettings();
  if (!settings) return;
  const merchant = await db.merchant.findUnique({
    where: { id: classPayload.parse(payload).merchantId },
    select: { ...MERCHANT_REF, imageKey: true, logoKey: true, colour: true },
  });
  if (!merchant) return;
  const colours = await coloursOfMerchant(db, merchant);
  await patch(settings, "loyaltyClass", loyaltyClass(settings, { ...merchant, colours }));
};

const keySchema = z.object({ client_email: z.string(), private_key: z.string() });
export type GoogleSettings = { issuerId: string; clientEmail: string; privateKey: string };

/** The settings of Google Wallet, or null. `GOOGLE_WALLET_KEY` is the service account's JSON, or its base64. */
export function googleSettings(): GoogleSettings | null {
  const { GOOGLE_WALLET_ISSUER_ID, GOOGLE_WALLET_KEY } = env();
  if (!GOOGLE_WALLET_ISSUER_ID || !GOOGLE_WALLET_KEY) return null;
  const json = GOOGLE_WALLET_KEY.trimStart().startsWith("{")
    ? GOOGLE_WALLET_KEY
    : Buffer.from(GOOGLE_WALLET_KEY, "base64").toString("utf8");
  const key = keySchema.parse(JSON.parse(json));
  return { issuerId: GOOGLE_WALLET_ISSUER_ID, clientEmail: key.client_email, privateKey: key.private_key };
}

/** Which wallets a card can be added to, and whether Apple passes are signed with a development certificate. */
export async function availableWallets() {
  const apple = await appleSettings();
  return {
    apple: apple !== null,
    appleDevelopment: apple?.development ?? false,
    google: googleSettings() !== null,
  };
}
