import { accountApi } from "@/lib/accounts/api";
import { activityApi } from "@/lib/activity/api";
import { branchApi } from "@/lib/branches/api";
import type { ApiRow } from "@/lib/calls/bind";
import { cardApi } from "@/lib/cards/api";
import { counterApi, searchApi } from "@/lib/counter/api";
import { customerApi } from "@/lib/customers/api";
import { fileApi } from "@/lib/files/api";
import { ledgerApi } from "@/lib/ledger/api";
import { merchantApi } from "@/lib/merchants/api";
import { noticeApi } from "@/lib/notices/api";
import { passApi } from "@/lib/passes/api";
import { configApi } from "@/lib/points-config/api";
import { receiptApi } from "@/lib/receipts/api";
import { reportApi, totalsApi } from "@/lib/reports/api";
import { tillApi } from "@/lib/tills/api";
import { workerApi } from "@/lib/workers/api";
import { describedRows, documentOf, documentRow } from "./document";
import type { ApiCall } from "./match";
import { ownApi } from "./own";
import { route } from "./route";

const ROWS: readonly ApiRow[] = [
  ...accountApi,
  ...activityApi,
  ...branchApi,
  ...cardApi,
  ...configApi,
  ...counterApi,
  ...customerApi,
  ...fileApi,
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
