import { z } from "zod";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { runScheduledWork } from "@/lib/tasks";

/** Seconds that the platform allows, since deliveries are slow. */
export const maxDuration = 60;

export const GET = route({
  run: runScheduledWork,
  summary:
    "Runs the background jobs once, for deployments without a worker (Authorization: Bearer and CRON_SECRET).",
  tag: "Operations",
  secret: "cron",
  reply: { schema: z.object({ done: z.literal(true) }), from: (output) => output },
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
