import { createHash } from "node:crypto";
import { CurrencyCode, LanguageCode, type Order, type Payment as OrderPayment, PaymentMethodHandler } from "@vendure/core";
import { createPayments, type Payment, WalletRefusal } from "loyalty-wallet-client/payments";

const en = (value: string) => [{ languageCode: LanguageCode.en, value }];
const paymentOf = ({ metadata }: OrderPayment) => metadata as Payment;

/** The key of a step: the same whenever the step is repeated. */
const keyOf = (...parts: unknown[]) => `vendure-${createHash("sha256").update(parts.join(" ")).digest("hex")}`;
/** Payments of the order so far: another try of the customer is another payment. */
const triesOf = ({ payments }: Order) => payments?.length ?? 0;

/** What a refusal of the wallet is for the shop; anything else goes on as it came. */
function refused(error: unknown): string {
  if (error instanceof WalletRefusal) return error.message;
  throw error;
}

type Step<T> = { message: string } | { done: T };
const step = async <T>(run: () => Promise<T>): Promise<Step<T>> => {
  try {
    return { done: await run() };
  } catch (error) {
    return { message: refused(error) };
  }
};

/**
 * Vendure's steps in the wallet's: a payment is a hold, settling takes it, cancelling gives it back, a refund returns a part.
 * The shop sends `metadata.card`, the text of the card's QR code, and above the limit `metadata.proof`, the mailed code.
 */
export const walletPaymentHandler = new PaymentMethodHandler({
  code: "loyalty-wallet",
  description: en("Loyalty Wallet: the balance of a card"),
  args: {
    url: { type: "string", label: en("Address of the wallet") },
    key: { type: "string", label: en("API key"), ui: { component: "password-form-input" } },
    seconds: { type: "int", defaultValue: 900, label: en("Seconds until a payment has to be settled") },
  },

  createPayment: async (_ctx, order, amount, args, { card, proof }) => {
    if (order.currencyCode !== CurrencyCode.QAR) {
      return { amount, state: "Declined", errorMessage: "A card pays in Qatari riyals only." };
    }
    const key = keyOf("authorise", order.code, triesOf(order), amount, card, proof);
    const hold = await step(() =>
      createPayments(args).authorise({ key, card, proof, dirhams: amount, order: order.code }),
    );
    if ("message" in hold) return { amount, state: "Declined", errorMessage: hold.message };
    return { amount, state: "Authorized", transactionId: hold.done.hold, metadata: hold.done };
  },

  settlePayment: async (_ctx, _order, payment, args) => {
    const taken = await step(() => createPayments(args).capture(paymentOf(payment), keyOf("settle", payment.id)));
    if ("message" in taken) return { success: false, errorMessage: taken.message };
    return { success: true, metadata: taken.done };
  },

  cancelPayment: async (_ctx, _order, payment, args) => {
    const given = await step(() => createPayments(args).cancel(paymentOf(payment), keyOf("cancel", payment.id)));
    return "message" in given ? { success: false, errorMessage: given.message } : { success: true };
  },

  createRefund: async (_ctx, input, amount, _order, payment, args) => {
    // Vendure has no name for a refund before it is made: what was refunded so far tells one from the next.
    const before = (payment.refunds ?? []).filter(({ state }) => state === "Settled");
    const key = keyOf("refund", payment.id, before.length, amount, input.reason);
    const refund = await step(() => createPayments(args).refund(paymentOf(payment), amount, key, input.reason || "Order"));
    if ("message" in refund) return { state: "Failed", metadata: { errorMessage: refund.message } };
    return { state: "Settled", transactionId: refund.done };
  },
});
