import type { ErrorCode } from "./error-status";

export type { ErrorCode };

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
  readonly data: FactorRequest | undefined;
  /** The hold (lib/holds/model.ts) that is in the way. */
  readonly hold: object | undefined;
}

/** For `.catch`: null for a refusal. Throws any other error again. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof DomainError) return null;
  throw error;
}

/** A server action's answer, `message` in the reader's language. `replayed`: an earlier request did it. */
export type ActionResult<T> =
  | { ok: true; data: T; replayed?: true | undefined }
  | { ok: false; code: ErrorCode; message: string; fieldErrors: Record<string, string> };

export type Refusal = Extract<ActionResult<never>, { ok: false }>;

/** A field's message: a catalogue key, with the numbers of its text as a query. Forms and API translate it. */
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
