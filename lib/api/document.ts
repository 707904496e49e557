import { z } from "zod";
import { type ApiRow, bind } from "@/lib/calls/bind";
import { nothingSchema } from "@/lib/domain/ids";
import { operation } from "@/lib/operations/operation";
import { type ApiRoute, type Method, openApiDocument } from "./openapi";
import { type RouteHandler, route } from "./route";

/** Every call of these rows with its handler, by path. */
export async function describedRows(
  rows: readonly ApiRow[],
): Promise<(ApiRoute & { handler: RouteHandler })[]> {
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
export function documentOf(rows: readonly ApiRow[]) {
  const document = documents.get(rows) ?? describedRows(rows).then(openApiDocument);
  documents.set(rows, document);
  return document;
}

/** The row that answers the OpenAPI document of these rows. */
export function documentRow(rows: () => readonly ApiRow[]): ApiRow {
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
