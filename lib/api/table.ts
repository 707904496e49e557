import { z } from "zod";
import { accountApi } from "@/lib/accounts/api";
import { activityApi } from "@/lib/activity/api";
import { apiKeyApi } from "@/lib/api-keys/api";
import { branchApi } from "@/lib/branches/api";
import { type ApiRow, bind, tagged } from "@/lib/calls/bind";
import { cardApi } from "@/lib/cards/api";
import { counterApi } from "@/lib/counter/api";
import { customerApi } from "@/lib/customers/api";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { fileApi } from "@/lib/files/api";
import { holdApi } from "@/lib/holds/api";
import { ledgerApi } from "@/lib/ledger/api";
import { merchantApi } from "@/lib/merchants/api";
import { noticeApi } from "@/lib/notices/api";
import { log } from "@/lib/observe/log";
import { operation } from "@/lib/operations/operation";
import { passApi } from "@/lib/passes/api";
import { configApi } from "@/lib/points-config/api";
import { receiptApi } from "@/lib/receipts/api";
import { reportApi } from "@/lib/reports/api";
import { runScheduledWork } from "@/lib/tasks";
import { tillApi } from "@/lib/tills/api";
import { webhookApi } from "@/lib/webhooks/api";
import { workerApi } from "@/lib/workers/api";
import { LANES } from "./backlog";
import { health, readiness } from "./health";
import type { ApiCall } from "./match";
import { type Method, openApiDocument } from "./openapi";
import { route } from "./route";

const field = z.string().max(4000).optional().catch(undefined);
const bodySchema = z.object({
  "csp-report": z.object({
    "effective-directive": field,
    "violated-directive": field,
    "blocked-uri": field,
    "document-uri": field,
    "source-file": field,
    "line-number": z.number().optional().catch(undefined),
  }),
});

// Anybody may call this: all callers together write 120 lines of the log in a minute.
const LINES: GuardLimit = { name: "csp-reports", points: 120, seconds: 60 };

/** An address without what may name a person: no query, and no part of the path that may be an id, a token or an e-mail. */
function placeOf(address: string | undefined): string | null {
  if (!address) return null;
  if (!URL.canParse(address)) return /^[a-z-]{1,20}$/.test(address) ? address : "unknown";
  const { protocol, host, pathname } = new URL(address);
  if (!host) return protocol;
  const parts = pathname.split("/").map((part) => (/^[a-z.-]{0,24}$/.test(part) ? part : "…"));
  return `${protocol}//${host}${parts.slice(0, 6).join("/")}`;
}

function parse(bytes: Buffer): z.output<typeof bodySchema>["csp-report"] {
  try {
    return bodySchema.parse(JSON.parse(bytes.toString("utf8")))["csp-report"];
  } catch (cause) {
    throw new DomainError("malformed", {}, [], { cause });
  }
}

/** Logs what a page's content security policy stopped, without personal data. Throws malformed, rate_limited. */
const reportViolation = operation({
  permission: "public",
  input: z.object({ bytes: z.instanceof(Buffer) }),
  errors: ["malformed", "too_large"],
  run: async (ctx, input): Promise<{ logged: true }> => {
    const report = parse(input.bytes);
    await consume(ctx.db, LINES, "all");
    const directive = report["effective-directive"] ?? report["violated-directive"]?.split(" ")[0];
    log("warn", "csp_violation", {
      directive: /^[a-z-]{1,30}$/.test(directive ?? "") ? directive : "unknown",
      blocked: placeOf(report["blocked-uri"]),
      page: placeOf(report["document-uri"]),
      source: placeOf(report["source-file"]),
      line: report["line-number"] ?? null,
    });
    return { logged: true };
  },
});

const ready = z.object({
  ready: z.literal(true),
  /** True if the program's database role cannot write the ledger directly. */
  apart: z.boolean(),
  /** The work that is due and waits. Null if it could not be read. */
  backlog: z
    .array(
      z.object({
        lane: z.enum(LANES),
        waiting: z.int(),
        oldestSeconds: z.int(),
      }),
    )
    .nullable(),
});

const readDocument = operation({
  permission: "public",
  input: nothingSchema,
  readOnly: true,
  run: async () => apiDocument(),
});

const ownApi = tagged("Operations", [
  bind(
    { method: "GET", path: "cron", reply: { schema: z.object({ done: z.literal(true) }) } },
    runScheduledWork,
    {
      summary:
        "Runs the background jobs once, for deployments without a worker (Authorization: Bearer and CRON_SECRET).",
      secret: "cron",
    },
  ),
  bind({ method: "POST", path: "csp-report", raw: { limit: 8 * 1024 } }, reportViolation, {
    summary: "What a page's content security policy stopped, as browsers report it.",
    more: ({ bytes }) => ({ bytes }),
    limit: "heavy",
    respond: { contentType: "text/plain", statuses: [204], from: () => new Response(null, { status: 204 }) },
  }),
  bind({ method: "GET", path: "health", reply: { schema: z.object({ alive: z.literal(true) }) } }, health, {
    summary: "Whether the process is running.",
    limit: "probe",
    anonymous: true,
  }),
  bind({ method: "GET", path: "ready", reply: { schema: ready } }, readiness, {
    summary: "Whether the database is reachable and its migrations are applied.",
    limit: "probe",
    anonymous: true,
  }),
  bind({ method: "GET", path: "openapi.json" }, readDocument, {
    summary: "This document.",
    respond: {
      contentType: "application/json",
      schema: z.looseObject({ openapi: z.string() }),
      from: (made) => Response.json(made, { headers: { "Cache-Control": "public, max-age=300" } }),
    },
  }),
]);

const API_ROWS: readonly ApiRow[] = [
  ...accountApi,
  ...activityApi,
  ...apiKeyApi,
  ...branchApi,
  ...cardApi,
  ...configApi,
  ...counterApi,
  ...customerApi,
  ...fileApi,
  ...holdApi,
  ...ledgerApi,
  ...merchantApi,
  ...noticeApi,
  ...ownApi,
  ...passApi,
  ...receiptApi,
  ...reportApi,
  ...tillApi,
  ...webhookApi,
  ...workerApi,
];

/** Every call of the API with its handler. */
export const API_CALLS: readonly ApiCall[] = API_ROWS.map((row) => ({
  method: row.call.method,
  path: row.call.path,
  handle: async (request, context) => (await route(row))(request, context),
}));

/** Every operation of the OpenAPI document with its handler, by path. */
export async function describedApi() {
  const described = await Promise.all(
    API_ROWS.map(async (row) => {
      const handler = await route(row);
      const path = `/${row.call.path.replaceAll("{...", "{")}`;
      return { path, method: row.call.method.toLowerCase() as Method, spec: handler.spec, handler };
    }),
  );
  return described.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

let document: Promise<ReturnType<typeof openApiDocument>> | undefined;

/** The OpenAPI document of this program. It is made once, because that is slow and the document is public. */
export function apiDocument() {
  document ??= describedApi().then(openApiDocument);
  return document;
}
