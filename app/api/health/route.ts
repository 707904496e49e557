import { z } from "zod";
import { route } from "@/lib/http/route";
import { health } from "@/lib/sessions/readiness";

export const GET = route({
  run: health,
  summary: "Whether the process answers.",
  tag: "Operations",
  limit: "probe",
  reply: { schema: z.object({ alive: z.literal(true) }), from: (output) => output },
});
