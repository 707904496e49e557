import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { MAX_REPORT_BYTES, reportViolation } from "@/lib/visitors/csp-report";

export const POST = route({
  run: reportViolation,
  summary: "What a page's content security policy stopped, as browsers report it.",
  tag: "Operations",
  raw: { limit: MAX_REPORT_BYTES },
  more: ({ bytes }) => ({ bytes }),
  limit: "heavy",
  respond: { contentType: "text/plain", statuses: [204], from: () => new Response(null, { status: 204 }) },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
