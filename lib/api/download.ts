import { notFound } from "next/navigation";
import type { z } from "zod";
import type { Context } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import type { Operation } from "@/lib/operations/operation";
import { downloadContext, pageQuery } from "./page";
import { replyError } from "./reply";

type Params = Record<string, string>;

/** The page with the link, which asks to confirm (step-up-host.tsx), for a tab that opened the link. */
function confirmationPage(url: string): string {
  const { pathname, search } = new URL(url);
  const end = pathname.lastIndexOf("/");
  return `${pathname.slice(0, end)}${search}#confirm-${pathname.slice(end + 1)}`;
}

type Parts<Output, Sent, S extends z.ZodObject> = {
  /** The filters of the page that links here; invalid ones are ignored, as on the page. */
  query: S;
  input: (asked: { query: z.output<S>; params: Params; ctx: Context }) => Sent;
  file: (output: Output, ctx: Context) => Response;
};

/**
 * The route of a file of a panel, for the browser's session cookie: a page's redirects while the session does not allow it,
 * then the operation's own steps. Refusals are answered as the API does; an unknown record is Next's 404. Until the user
 * confirmed who they are, a tab is led to the page that asks for it; other callers get 403 step_up_required.
 */
export function download<Input, Output, Sent, S extends z.ZodObject>(
  run: Operation<Input, Output, Sent>,
  { query: schema, input, file }: Parts<Output, Sent, S>,
) {
  return async (request: Request, route?: { params: Promise<Params> }): Promise<Response> => {
    const ctx = await downloadContext(run);
    const given = Object.fromEntries(new URL(request.url).searchParams);
    const query = await pageQuery(schema, Promise.resolve(given));
    const params = (await route?.params) ?? {};
    try {
      return file(await run.perform(ctx, async () => input({ query, params, ctx })), ctx);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code.endsWith("not_found")) notFound();
      if (error.code === "step_up_required" && request.headers.get("sec-fetch-mode") === "navigate") {
        const headers = { Location: confirmationPage(request.url), "Cache-Control": "no-store" };
        return new Response(null, { status: 307, headers });
      }
      return replyError(error, ctx.locale, ctx.requestId);
    }
  };
}
