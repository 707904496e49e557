import { z } from "zod";
import { accountApi } from "@/lib/accounts/api";
import { activityApi } from "@/lib/activity/api";
import { apiKeyApi } from "@/lib/api-keys/api";
import { branchApi } from "@/lib/branches/api";
import { type ApiRow, bind } from "@/lib/calls/bind";
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

const readDocument = operation({
  permission: "public",
  input: nothingSchema,
  readOnly: true,
  run: async () => apiDocument(),
});

/** The API: the rows of every subject and its own. `openapi.json` describes all of them, itself too. */
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
  ...searchApi,
  ...tillApi,
  ...totalsApi,
  ...webhookApi,
  ...workerApi,
  bind({ method: "GET", path: "openapi.json" }, readDocument, {
    summary: "This document.",
    tag: "Operations",
    respond: {
      contentType: "application/json",
      schema: z.looseObject({ openapi: z.string() }),
      from: (made) => Response.json(made, { headers: { "Cache-Control": "public, max-age=300" } }),
    },
  }),
];

/** Every call of the API with its handler. */
export const API_CALLS: readonly ApiCall[] = API_ROWS.map((row) => ({
  method: row.call.method,
  path: row.call.path,
  handle: async (request, context) => (await route(row))(request, context),
}));

/** Every operation of the OpenAPI document with its handler, by path. */
export async function describedApi(): Promise<(ApiRoute & { handler: RouteHandler })[]> {
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
