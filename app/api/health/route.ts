import { z } from "zod";
import { health } from "@/lib/health/health";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";

export const GET = route({
  run: health,
  summary: "Whether the process is running.",
  tag: "Operations",
  limit: "probe",
  reply: { schema: z.object({ alive: z.literal(true) }), from: (output) => output },
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
