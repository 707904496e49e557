import { z } from "zod";
import { type ApiRow, bind } from "@/lib/calls/bind";
import { runScheduledWork } from "@/lib/tasks";
import { MAX_REPORT_BYTES, reportViolation } from "./csp-report";
import { health, readiness } from "./health";

/** The calls that no subject has: health, jobs, reports of browsers. */
const ownCalls = {
  runScheduledWork: { method: "GET", path: "cron", reply: { schema: z.object({ done: z.literal(true) }) } },
  reportViolation: { method: "POST", path: "csp-report", raw: { limit: MAX_REPORT_BYTES } },
  health: { method: "GET", path: "health", reply: { schema: z.object({ alive: z.literal(true) }) } },
  readiness: {
    method: "GET",
    path: "ready",
    reply: {
      schema: z.object({
        ready: z.literal(true),
        /** True if the program's database role cannot write the ledger directly. */
        apart: z.boolean(),
        /** The work that is due and waits. Null if it could not be read. */
        backlog: z
          .array(
            z.object({
              lane: z.enum(["postings", "jobs", "mail_account", "mail_receipt"]),
              waiting: z.int(),
              /** Seconds since the oldest was due. */
              oldestSeconds: z.int(),
            }),
          )
          .nullable(),
      }),
    },
  },
} as const;

/** The rows of these calls. */
export const ownApi: readonly ApiRow[] = [
  bind(ownCalls.runScheduledWork, runScheduledWork, {
    summary:
      "Runs the background jobs once, for deployments without a worker (Authorization: Bearer and CRON_SECRET).",
    tag: "Operations",
    secret: "cron",
  }),
  bind(ownCalls.reportViolation, reportViolation, {
    summary: "What a page's content security policy stopped, as browsers report it.",
    tag: "Operations",
    more: ({ bytes }) => ({ bytes }),
    limit: "heavy",
    respond: { contentType: "text/plain", statuses: [204], from: () => new Response(null, { status: 204 }) },
  }),
  bind(ownCalls.health, health, {
    summary: "Whether the process is running.",
    tag: "Operations",
    limit: "probe",
    anonymous: true,
  }),
  bind(ownCalls.readiness, readiness, {
    summary: "Whether the database is reachable and its migrations are applied.",
    tag: "Operations",
    limit: "probe",
    anonymous: true,
  }),
];
