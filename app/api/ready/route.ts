import { z } from "zod";
import { readiness } from "@/lib/health/health";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";

export const GET = route({
  run: readiness,
  summary: "Whether the database is reachable and its migrations are applied.",
  tag: "Operations",
  limit: "probe",
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
    from: (output) => output,
  },
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
