import { randomInt } from "node:crypto";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { ApiRoute } from "@/lib/api/openapi";
import type { RouteHandler } from "@/lib/api/route";
import { apiDocument, describedApi } from "@/lib/api/table";
import { proofOf, type TillKey } from "../tills";

export type DocumentedCall = ApiRoute & { name: string; handler: RouteHandler };

/** Every operation of the document, with its handler. */
export const OPERATIONS: DocumentedCall[] = (await describedApi()).map((route) => ({
  ...route,
  name: `${route.method} ${route.path}`,
}));

export type Call = {
  token?: string;
  params?: Record<string, string | string[]>;
  query?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged. */
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** The till whose proof each request carries. */
  till?: TillKey;
  /** The caller's network address. Default: a new one, so that rate limits per address do not apply. */
  address?: string;
};

export const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

/** Calls an operation like HTTP does, or the server at `base` over HTTP. */
async function send({ handler, method, path }: DocumentedCall, call: Call, base?: string): Promise<Response> {
  const { token, params = {}, query, body, raw, headers, till, address = newAddress() } = call;
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    [params[name] ?? "none"].flat().map(encodeURIComponent).join("/"),
  );
  const search = query ? `?${new URLSearchParams(query)}` : "";
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const origin = base ?? "http://localhost:3000";
  const pathname = new URL(`${origin}/api${filledPath}`).pathname;
  // A proof names the public address, wherever the server listens.
  const parts = {
    method: method.toUpperCase(),
    origin: process.env.APP_URL ?? origin,
    path: pathname,
    token,
    raw: content,
  };
  const request = new Request(`${origin}/api${filledPath}${search}`, {
    method: method.toUpperCase(),
    redirect: "manual",
    headers: {
      [base === undefined ? "x-wallet-peer" : "x-forwarded-for"]: address,
      ...(token ? { authorization: token } : {}),
      ...(content === undefined ? {} : { "content-type": "application/json" }),
      ...(till ? await proofOf(till, parts) : {}),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  });
  return base === undefined ? handler(request, { params }) : fetch(request);
}

export type CheckedAnswer = {
  status: number;
  headers: Headers;
  /** The parsed JSON body; undefined for other content types. */
  body?: { status: number; message: string; code?: string; data?: unknown };
  /** The body as it was sent. */
  text: string;
  /** Differences between the answer and the document. */
  violations: string[];
};

type Described = { content?: Record<string, unknown>; headers?: Record<string, unknown> };
type Paths = Record<string, Record<string, { responses: Record<string, Described> }>>;
const document = await apiDocument();
// A validator is used a few times: to optimise its code takes longer than it saves.
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
addFormats.default(ajv);
ajv.addSchema(document, "api");
const pointer = (part: string) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));

function validator(operation: DocumentedCall, status: number, type: string): ValidateFunction | undefined {
  const parts = ["paths", operation.path, operation.method, "responses", String(status), "content", type];
  return ajv.getSchema(`api#/${[...parts, "schema"].map(pointer).join("/")}`);
}

/** Compares the status, type, body and headers of an answer with the document. */
async function check(
  operation: DocumentedCall,
  response: Response,
): Promise<Pick<CheckedAnswer, "body" | "text" | "violations">> {
  const { status, headers } = response;
  const described = (document.paths as Paths)[operation.path]?.[operation.method]?.responses[String(status)];
  const bytes = await response.arrayBuffer();
  const text = new TextDecoder().decode(bytes);
  if (!described) return { text, violations: [`${status} is not documented: ${text.slice(0, 300)}`] };
  if (!headers.get("x-request-id")) return { text, violations: [`${status} names no request`] };
  if (bytes.byteLength === 0) return { text, violations: [] };
  const type = headers.get("content-type")?.split(";")[0] ?? "none";
  if (!(type in (described.content ?? {}))) return { text, violations: [`${status} is ${type}`] };
  if (type !== "application/json") return { text, violations: [] };
  const body = JSON.parse(text) as CheckedAnswer["body"];
  const validate = validator(operation, status, type);
  if (!validate) return { body, text, violations: [`${status} has no schema`] };
  if (validate(body)) return { body, text, violations: [] };
  const errors = ajv.errorsText(validate.errors, { separator: "; " });
  return { body, text, violations: [`${status}: ${errors} in ${text.slice(0, 500)}`] };
}

/** Calls an operation, at the server at `base` if one is named, and compares the answer with the document. */
export async function exchange(operation: DocumentedCall, call: Call, base?: string): Promise<CheckedAnswer> {
  const response = await send(operation, call, base);
  return { status: response.status, headers: response.headers, ...(await check(operation, response)) };
}
