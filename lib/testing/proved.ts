import { type ProvedOperation, type PublicContext, runProved } from "@/lib/db/context";

type Proof = { holder?: string; authorization?: string };

/**
 * Calls operations as the adapters do for those without a session: `holder` is the secret of the card-holder cookie,
 * `authorization` the header, and the operation gets the rest.
 */
export function provedBy(ctx: PublicContext) {
  return <I, O>(run: ProvedOperation<I, O>, given: NoInfer<I> & Proof): Promise<O> => {
    const { holder, authorization = null, ...input } = given;
    return runProved(run, ctx, input as unknown as I, { holder: () => holder, authorization });
  };
}
