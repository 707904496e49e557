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
