import type { z } from "zod";
import type { PublicContext } from "@/lib/db/context";
import type { Locale } from "@/lib/domain/roles";
import type { MovementActor } from "@/lib/ledger/model/movements";
import type { Operation } from "@/lib/operations/operation";
import type { Names } from "./names";

/** The volume limits that a call can name; lib/api/limits.ts has their numbers. */
type CallLimit = "session" | "money" | "public" | "probe" | "exists" | "heavy";

type Parts = { headers: Headers; params: Record<string, string>; bytes: Buffer };

/** Turns values into what a reader sees. Names of calls run in browsers too, so the server hands it in. */
export type Writer = {
  locale: Locale;
  actorName: (actor: MovementActor) => string;
  /** The name of a movement's customer: a general label where the card was deleted. */
  customerName: (movement: { customer: { fullName: string }; customerErased?: boolean }) => string;
  /** Why a till's entry was not posted, for a person. */
  whyKept: (code: string) => string;
  imageUrl: (key: string | null) => string | null;
  signupUrl: (publicId: string) => string;
};

/** The answer's `data`, made of the operation's result, which it is by default. `view` is the way back, for a browser. */
type Reply<Output, Data> = {
  schema: z.ZodType<Data>;
  from?: (output: Output, to: Writer) => Data;
  view?: (data: never) => unknown;
};

/** A call of the API as both sides know it: method, path below /api, and the names of its fields. */
export type Call<Field extends string = string, Output = never, Data = unknown> = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Such as "branches/{id}"; "{...key}" takes all further segments. */
  path: string;
  params?: Names<Field>;
  query?: Names<Field>;
  body?: Names<Field>;
  /** The body is a file of at most `limit` bytes instead of JSON. */
  raw?: { limit: number };
  reply?: Reply<Output, Data>;
  /** The input's type, for browsers. It has no value: see `sends`. */
  input?: object | undefined;
};

/** Names the input's type in a call: `input: sends<z.input<typeof createBranchSchema>>()`. */
export const sends = <Input extends object>(): Input | undefined => undefined;

export type Details<Sent, Output> = {
  /** One sentence about the call for openapi.json. */
  summary: string;
  /** The tag in openapi.json, where it is not that of the row's list. */
  tag?: string;
  /** Further fields of the input, taken from the headers or constant. */
  more?: (parts: Parts) => Partial<Sent>;
  /** The result as a file if the caller requested one, or null for the usual reply. */
  download?: { contentType: string; from: (output: Output, ctx: PublicContext) => Response | null };
  /** An answer without the envelope (a file, a stream). */
  respond?: {
    contentType: string;
    /** The statuses of a success, if not only 200. */
    statuses?: number[];
    /** The schema of a JSON answer without the envelope. */
    schema?: z.ZodType;
    from: (output: Output, ctx: PublicContext) => Response | Promise<Response>;
  };
  /** The catalogue key of the success message. */
  message?: string;
  headers?: (output: Output, ctx: PublicContext) => [string, string][];
  /** The caller's browser becomes a known device of this user, by present credentials, or of this holder. */
  marks?: (output: Output) => { userId: string } | { email: string };
  limit?: CallLimit;
  /** The call checks no session and no till, so that it is answered without the database. */
  anonymous?: true;
  /** The secret that the operation requires instead of a session, for openapi.json. */
  secret?: "cron" | "applePass" | "till";
  example?: unknown;
};

type Later<Run> = { load: () => Promise<Run> };

/** Names an operation of a module that is imported when its call comes first, because it is heavy. */
export const later = <Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): Later<Module[Name]> => ({ load: async () => (await load())[name] });

type AnyOperation = Operation<unknown, unknown>;

export type ApiRow = Readonly<{
  call: Call<string, unknown>;
  run: AnyOperation | Later<AnyOperation>;
  details: Details<unknown, unknown>;
}>;

/** Binds a call to its operation. The operation's schema parses the input; its permission is checked before. */
export function bind<Input, Sent, Output, Data>(
  call: Call<NoInfer<keyof Sent & string>, Output, Data>,
  run: Operation<Input, Output, Sent> | Later<Operation<Input, Output, Sent>>,
  details: Details<NoInfer<Sent>, NoInfer<Output>>,
): ApiRow {
  return { call, run, details } as unknown as ApiRow;
}

/** The rows of a subject, under a tag of openapi.json. */
export const tagged = (tag: string, rows: ApiRow[]): readonly ApiRow[] =>
  rows.map(({ call, run, details }) => ({ call, run, details: { tag, ...details } }));
