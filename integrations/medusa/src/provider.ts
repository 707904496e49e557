import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CapturePaymentInput,
  DeletePaymentInput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  PaymentProviderOutput,
  PaymentSessionStatus,
  RefundPaymentInput,
  UpdatePaymentInput,
} from "@medusajs/framework/types";
import { AbstractPaymentProvider, BigNumber, MedusaError } from "@medusajs/framework/utils";
import { createPayments, type Payment, type PaymentOptions, WalletRefusal } from "loyalty-wallet-client/payments";

/** What a payment session carries from step to step. The shop sets `card` (the text of the card's QR) and may set `proof`. */
type Data = Partial<Payment> & { session_id?: string; card?: string; proof?: string; dirhams?: number };

const STATUS = { open: "authorized", captured: "captured", voided: "canceled", lapsed: "canceled" } as const;
/** Dirhams in a riyal. Medusa counts in riyals. */
const DIRHAMS = 100;

const dirhamsOf = (amount: InitiatePaymentInput["amount"]) => Math.round(new BigNumber(amount).numeric * DIRHAMS);
const dataOf = ({ data }: { data?: Record<string, unknown> }) => (data ?? {}) as Data;
const keyOf = ({ context }: { context?: { idempotency_key?: string } }, step: string) =>
  `medusa-${step}-${context?.idempotency_key ?? ""}`;

function paymentOf(data: Data): Payment {
  const { hold, points, capture } = data;
  if (!hold || !points) throw refusal("Nothing is reserved for this payment yet.");
  return { hold, points, ...(capture ? { capture } : {}) };
}

const refusal = (message: string, code?: string) =>
  new MedusaError(MedusaError.Types.NOT_ALLOWED, message, code);

/** Runs a step; a refusal of the wallet reaches the shop with its sentence and its code. */
async function step<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof WalletRefusal ? refusal(error.message, error.code) : error;
  }
}

/** Medusa's steps in the wallet's: authorise is a hold, capture takes it, cancel gives it back, a refund returns a part. */
export class WalletPaymentProvider extends AbstractPaymentProvider<PaymentOptions> {
  static override identifier = "loyalty_wallet";
  private readonly payments: ReturnType<typeof createPayments>;

  static override validateOptions({ url, key }: Record<string, unknown>) {
    if (!url || !key) throw new MedusaError(MedusaError.Types.INVALID_ARGUMENT, "Set url and key.");
  }

  constructor(container: Record<string, unknown>, options: PaymentOptions) {
    super(container, options);
    this.payments = createPayments(options);
  }

  async initiatePayment({ data, amount, currency_code }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    if (currency_code.toLowerCase() !== "qar") throw refusal("A card pays in Qatari riyals only.");
    const given = dataOf({ data });
    if (!given.card) throw refusal("Set data.card: the text of the card's QR code.");
    return { id: given.session_id ?? "", status: "pending", data: { ...given, dirhams: dirhamsOf(amount) } };
  }

  async updatePayment({ data, amount }: UpdatePaymentInput): Promise<PaymentProviderOutput> {
    return { data: { ...data, dirhams: dirhamsOf(amount) } };
  }

  async authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const { card = "", dirhams = 0, proof, session_id = "" } = dataOf(input);
    const key = `medusa-authorise-${session_id}`;
    const payment = await step(() =>
      this.payments.authorise({ key, card, dirhams, ...(proof ? { proof } : {}), order: session_id.slice(-40) }),
    );
    return { status: "authorized", data: { ...input.data, ...payment } };
  }

  /** Takes the whole amount: Medusa does not tell a provider the amount of a capture. */
  async capturePayment(input: CapturePaymentInput): Promise<PaymentProviderOutput> {
    const captured = await step(() => this.payments.capture(paymentOf(dataOf(input)), keyOf(input, "capture")));
    return { data: { ...input.data, ...captured } };
  }

  async cancelPayment(input: CancelPaymentInput): Promise<PaymentProviderOutput> {
    await step(() => this.payments.cancel(paymentOf(dataOf(input)), keyOf(input, "cancel")));
    return { data: input.data ?? {} };
  }

  /** A session that ends without a payment. What an answer that was lost may have reserved is given back. */
  async deletePayment(input: DeletePaymentInput): Promise<PaymentProviderOutput> {
    const { session_id } = dataOf(input);
    if (session_id) await step(() => this.payments.giveUp(`medusa-authorise-${session_id}`));
    return { data: input.data ?? {} };
  }

  async refundPayment(input: RefundPaymentInput): Promise<PaymentProviderOutput> {
    const payment = paymentOf(dataOf(input));
    const refund = await step(() =>
      this.payments.refund(payment, dirhamsOf(input.amount), keyOf(input, "refund"), "Order"),
    );
    return { data: { ...input.data, refund } };
  }

  async getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const { hold } = dataOf(input);
    if (!hold) return { status: "pending" };
    return { status: STATUS[await step(() => this.payments.state(hold))] as PaymentSessionStatus };
  }

  async retrievePayment(input: GetPaymentStatusInput): Promise<PaymentProviderOutput> {
    return { data: { ...input.data, ...(await this.getPaymentStatus(input)) } };
  }

  /** The wallet answers each step at once: no webhook moves a payment. */
  async getWebhookActionAndData() {
    return { action: "not_supported" as const };
  }
}
