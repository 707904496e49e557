import { type HttpAnswer, type HttpCall, type HttpStandIn, httpServer } from "./http-server";

type Refusal = { status: number; body: unknown };
export type ResendStandIn = Pick<HttpStandIn, "url" | "calls" | "close"> & {
  /** The recipients of the messages that it accepted, in their order. */
  accepted: string[];
};
export type ResendOptions = {
  /** Whether an address is invalid. */
  refuses?: (address: string) => boolean;
  /** The answer to a call instead of the usual one, which sends nothing. */
  failure?: (call: HttpCall) => Refusal | undefined;
  /** Whether the answer to a call is lost after its messages were accepted. */
  isLost?: (call: HttpCall) => boolean;
};

const invalid = (message: string) => ({ name: "validation_error", message, statusCode: 422 });

/** A stand-in for Resend: single e-mails, batches in both modes of validation, and idempotency keys. */
export async function resendServer(options: ResendOptions = {}): Promise<ResendStandIn> {
  const { refuses = () => false, failure = () => undefined, isLost = () => false } = options;
  const accepted: string[] = [];
  const known = new Map<string, { payload: string; answer: Refusal }>();

  function accept(call: HttpCall): Refusal {
    const isBatch = call.path === "/emails/batch";
    const sent = JSON.parse(call.body) as { to: string[] } | { to: string[] }[];
    const addresses = [sent].flat().map(({ to }) => to[0] ?? "");
    const errors = addresses.flatMap((address, index) =>
      refuses(address) ? [{ index, message: "Invalid `to` field." }] : [],
    );
    const permissive = isBatch && call.headers["x-batch-validation"] === "permissive";
    if (errors.length > 0 && !permissive) return { status: 422, body: invalid("Invalid `to` field.") };
    const taken = addresses.filter((address) => !refuses(address));
    accepted.push(...taken);
    const data = taken.map((_, index) => ({ id: `re_${accepted.length}_${index}` }));
    return { status: 200, body: isBatch ? { data, errors } : data[0] };
  }

  function answer(call: HttpCall): HttpAnswer {
    const key = String(call.headers["idempotency-key"]);
    const before = known.get(key);
    if (before) {
      const message = "The idempotency key was used with another payload.";
      const body = { name: "invalid_idempotent_request", message, statusCode: 409 };
      return before.payload === call.body ? before.answer : { status: 409, body };
    }
    const failed = failure(call);
    if (failed) return failed;
    const usual = accept(call);
    if (usual.status === 200) known.set(key, { payload: call.body, answer: usual });
    return isLost(call) ? "lost" : usual;
  }

  return { ...(await httpServer(answer)), accepted };
}
