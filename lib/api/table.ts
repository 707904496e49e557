import { z } from "zod";
import { accountApi } from "@/lib/accounts/api";
import { activityApi } from "@/lib/activity/api";
import { apiKeyApi } from "@/lib/api-keys/api";
import { branchApi } from "@/lib/branches/api";
import type { ApiRow } from "@/lib/calls/bind";
import { bind } from "@/lib/calls/bind";
import { cardApi } from "@/lib/cards/api";
import { counterApi, searchApi } from "@/lib/counter/api";
import { customerApi } from "@/lib/customers/api";
import { nothingSchema } from "@/lib/domain/ids";
import { fileApi } from "@/lib/files/api";
import { holdApi } from "@/lib/holds/api";
import { ledgerApi } from "@/lib/ledger/api";
import { merchantApi } from "@/lib/merchants/api";
import { noticeApi } from "@/lib/notices/api";
import { operation } from "@/lib/operations/operation";
import { passApi } from "@/lib/passes/api";
import { configApi } from "@/lib/points-config/api";
import { receiptApi } from "@/lib/receipts/api";
import { reportApi, totalsApi } from "@/lib/reports/api";
import { tillApi } from "@/lib/tills/api";
import { webhookApi } from "@/lib/webhooks/api";
import { workerApi } from "@/lib/workers/api";
import type { ApiCall } from "./match";
import { type ApiRoute, type Method, openApiDocument } from "./openapi";
import { ownApi } from "./own";
import { type RouteHandler, route } from "./route";

/** Every call of these rows with its handler, by path. */
async function describedRows(rows: readonly ApiRow[]): Promise<(ApiRoute & { handler: RouteHandler })[]> {
  const described = await Promise.all(
    rows.map(async (row) => {
      const handler = await route(row);
      const path = `/${row.call.path.replaceAll("{...", "{")}`;
      return { path, method: row.call.method.toLowerCase() as Method, spec: handler.spec, handler };
    }),
  );
  return described.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

const documents = new WeakMap<readonly ApiRow[], Promise<ReturnType<typeof openApiDocument>>>();

/** The OpenAPI document of these rows. It is made once, because that is slow and the document is public. */
function documentOf(rows: readonly ApiRow[]) {
  const document = documents.get(rows) ?? describedRows(rows).then(openApiDocument);
  documents.set(rows, document);
  return document;
}

/** The row that answers the OpenAPI document of these rows. */
function documentRow(rows: () => readonly ApiRow[]): ApiRow {
  const readDocument = operation({
    permission: "public",
    input: nothingSchema,
    readOnly: true,
    run: async () => documentOf(rows()),
  });
  return bind({ method: "GET", path: "openapi.json" }, readDocument, {
    summary: "This document.",
    tag: "Operations",
    respond: {
      contentType: "application/json",
      schema: z.looseObject({ openapi: z.string() }),
      from: (made) => Response.json(made, { headers: { "Cache-Control": "public, max-age=300" } }),
    },
  });
}

const ROWS: readonly ApiRow[] = [
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
  ...searchApi,
  ...tillApi,
  ...totalsApi,
  ...webhookApi,
  ...workerApi,
];

/** The API: the rows of every subject and its own. `openapi.json` describes all of them, itself too. */
const API_ROWS: readonly ApiRow[] = [...ROWS, documentRow(() => API_ROWS)];

/** Every call of the API with its handler. */
export const API_CALLS: readonly ApiCall[] = API_ROWS.map((row) => ({
  method: row.call.method,
  path: row.call.path,
  handle: async (request, context) => (await route(row))(request, context),
}));

/** The OpenAPI document of this program, and every operation in it with its handler. */
export const describedApi = () => describedRows(API_ROWS);
export const apiDocument = () => documentOf(API_ROWS);
