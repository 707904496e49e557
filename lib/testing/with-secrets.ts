import { type ProvedOperation, type PublicContext, runProved } from "@/lib/db/context";

type Secrets = { holder?: string; authorization?: string };

/**
 * Answers a function that calls an operation like the adapters do without a session. `holder` is the secret of the
 * card-holder cookie, `authorization` is the header, and the other fields are the operation's input.
 */
export function withSecrets(ctx: PublicContext) {
  return <I, O>(run: ProvedOperation<I, O>, request: NoInfer<I> & Secrets): Promise<O> => {
    const { holder, authorization = null, ...input } = request;
    return runProved(run, ctx, input as unknown as I, { holder: () => holder, authorization });
  };
}
