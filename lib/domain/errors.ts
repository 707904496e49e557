/**
 * The code of every refusal. The message catalogues have the text under `errors.<code>`, and lib/api/reply.ts has the
 * HTTP status.
 */
const ERROR_CODES = [
  "malformed",
  "validation",
  "unauthenticated",
  "session_ended",
  "forbidden",
  "merchant_pending",
  "merchant_rejected",
  "merchant_suspended",
  "merchant_unavailable",
  "not_found",
  "method_not_allowed",
  "customer_not_found",
  "merchant_not_found",
  "branch_not_found",
  "worker_not_found",
  "movement_not_found",
  "conflict",
  "email_taken",
  "email_change_pending",
  "branch_name_taken",
  "too_large",
  "unsupported_type",
  "rate_limited",
  "invalid_credentials",
  "second_factor_required",
  "second_factor_invalid",
  "challenge_expired",
  "step_up_required",
  "enrolment_required",
  "last_super_admin",
  "admin_not_found",
  "wrong_password",
  "weak_password",
  "link_invalid",
  "link_used",
  "code_invalid",
  "code_expired",
  "verification_required",
  "key_reused",
  "in_progress",
  "key_limit",
  "reversed_before_arrival",
  "ambiguous",
  "hold_not_found",
  "hold_closed",
  "hold_exceeded",
  "hold_extended",
  "too_many_holds",
  "has_holds",
  "customer_blocked",
  "customer_frozen",
  "customer_erased",
  "own_card",
  "till_required",
  "till_retired",
  "till_not_found",
  "till_name_taken",
  "till_paired",
  "invalid_dpop_proof",
  "use_dpop_nonce",
  "shift_not_found",
  "shift_open",
  "shift_closed",
  "entries_waiting",
  "entry_not_found",
  "entry_resolved",
  "weak_pin",
  "wrong_pin",
  "branch_mismatch",
  "below_minimum",
  "above_maximum",
  "allowance_ceiling",
  "tender_not_taken",
  "balance_limit",
  "daily_cap",
  "insufficient_balance",
  "proof_required",
  "worker_proof_required",
  "proof_amount",
  "proof_invalid",
  "undo_expired",
  "not_latest",
  "other_till",
  "reason_required",
  "not_reversible",
  "already_spent",
  "refunded",
  "no_receipt",
  "not_refundable",
  "already_reversed",
  "refund_exceeded",
  "refund_expired",
  "value_lowered",
  "bonus_ended",
  "rate_lowered",
  "pending_not_found",
  "own_request",
  "approver_too_new",
  "no_change",
  "upload_unknown",
  "upload_mismatch",
  "upload_too_large",
  "upload_quota",
  "card_holder_required",
  "wallet_unavailable",
  "api_key_not_found",
  "key_revoked",
  "key_rotating",
  "key_in_query",
  "key_address",
  "webhook_not_found",
  "webhook_address",
  "webhook_rotating",
  "too_many_webhooks",
  "balance_not_given_up",
  "unavailable",
  "outcome_unknown",
  "internal",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export type ErrorParams = Record<string, string | number>;
/** `message` is a catalogue key, with its numbers (fieldMessage). */
export type FieldProblem = { path: string; message: string };

/** How users can show who they are. `recovery` codes are for users who lost the other factors. */
export type ProofMethod = "passkey" | "totp" | "recovery" | "password";

/** The request of a sign-in's second step. `options` go to the browser's WebAuthn call. */
export type FactorRequest = {
  challenge: string;
  methods: ProofMethod[];
  options: Record<string, unknown> | null;
  expiresAt: Date;
  /** In the demo only: the present code of the authenticator app. */
  demoCode: string | null;
};

/** A refusal that the caller can act on. `params` fill the catalogue's text; `problems` name the invalid fields. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  constructor(
    readonly code: ErrorCode,
    readonly params: ErrorParams = {},
    readonly problems: FieldProblem[] = [],
    options: ErrorOptions & { data?: FactorRequest; hold?: object } = {},
  ) {
    super(code, options);
    this.data = options.data;
    this.hold = options.hold;
  }
  /** By its name: one process has several bundles, each with its own class of this name. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "DomainError";
  }
  /** The data for the caller's next step, if there is one. */
  readonly data: FactorRequest | undefined;
  /** The hold (lib/holds/model.ts) that stands in the way. */
  readonly hold: object | undefined;
}

/** For `.catch`: null for a refusal. Throws any other error again. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof DomainError) return null;
  throw error;
}

/** The answer of a server action: data, or a refusal with its `message` in the reader's language. */
export type ActionResult<T> =
  | { ok: true; data: T }
  | { ok: false; code: ErrorCode; message: string; fieldErrors: Record<string, string> };

/**
 * The message of a field: a catalogue key, with the numbers that fill its text as a query. Both the forms and the API
 * translate it.
 */
export function fieldMessage(key: string, numbers: Record<string, number>): string {
  return `${key}?${new URLSearchParams(Object.entries(numbers).map(([name, number]) => [name, String(number)]))}`;
}

/** The message of a number outside these bounds. */
export const betweenMessage = (min: number, max: number) =>
  fieldMessage("validation.number.between", { min, max });

/** The key and the numbers of a field's message, or null for any other text. */
export function parseFieldMessage(text: string): { key: string; numbers: Record<string, number> } | null {
  const [, key, query = ""] = /^([a-z]\w*(?:\.\w+)+)(?:\?([\w=&.-]*))?$/i.exec(text) ?? [];
  if (!key) return null;
  const numbers = [...new URLSearchParams(query)].map(([name, number]) => [name, Number(number)]);
  return { key, numbers: Object.fromEntries(numbers) as Record<string, number> };
}
