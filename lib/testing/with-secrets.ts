import type { PublicContext } from "@/lib/db/context";
import type { Operation } from "@/lib/operations/operation";

type Secrets = { holder?: string; authorization?: string };

/**
 * Answers a function that calls an operation like the adapters do without a session. `holder` is the secret of the
 * card-holder cookie, `authorization` is the header, and the other fields are the operation's input.
 */
export function withSecrets(ctx: PublicContext) {
  return <I, O, S>(run: Operation<I, O, S>, request: NoInfer<S> & Secrets): Promise<O> => {
    const { holder, authorization = null, ...input } = request;
    return run.perform(ctx, async () => input, { secrets: { holder: () => holder, authorization } });
  };
}

/**
 * A signed text as others would try it: one bit of one character changed, at `count` places; and cut off, doubled and
 * padded.
 */
export function tampered(text: string, count = 12): string[] {
  const flips = Array.from({ length: count }, (_, n) => {
    const at = Math.floor((n * text.length) / count);
    const other = String.fromCharCode(text.charCodeAt(at) ^ 1);
    return text.slice(0, at) + (/[\w.~-]/.test(other) ? other : "A") + text.slice(at + 1);
  });
  const cut = [text.slice(0, -1), text.slice(1), text.slice(0, text.length / 2), `${text}A`, text + text];
  return [...flips, ...cut].filter((one) => one !== text);
}
