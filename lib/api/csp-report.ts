import { z } from "zod";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import { log } from "@/lib/observe/log";
import { operation } from "@/lib/operations/operation";

/** The largest report that is read, in bytes. */
export const MAX_REPORT_BYTES = 8 * 1024;
const reportSchema = z.object({ bytes: z.instanceof(Buffer) });

const field = z.string().max(4000).optional().catch(undefined);
const bodySchema = z.object({
  "csp-report": z.object({
    "effective-directive": field,
    "violated-directive": field,
    "blocked-uri": field,
    "document-uri": field,
    "source-file": field,
    "line-number": z.number().optional().catch(undefined),
  }),
});

// Anybody may call this: all callers together write 120 lines of the log in a minute.
const LINES: GuardLimit = { name: "csp-reports", points: 120, seconds: 60 };

/** An address without what may name a person: no query, and no part of the path that may be an id, a token or an e-mail. */
function placeOf(address: string | undefined): string | null {
  if (!address) return null;
  if (!URL.canParse(address)) return /^[a-z-]{1,20}$/.test(address) ? address : "unknown";
  const { protocol, host, pathname } = new URL(address);
  if (!host) return protocol;
  const parts = pathname.split("/").map((part) => (/^[a-z.-]{0,24}$/.test(part) ? part : "…"));
  return `${protocol}//${host}${parts.slice(0, 6).join("/")}`;
}

function parse(bytes: Buffer): z.output<typeof bodySchema>["csp-report"] {
  try {
    return bodySchema.parse(JSON.parse(bytes.toString("utf8")))["csp-report"];
  } catch (cause) {
    throw new DomainError("malformed", {}, [], { cause });
  }
}

/** Logs what a page's content security policy stopped, without personal data. Throws malformed, rate_limited. */
export const reportViolation = operation({
  permission: "public",
  input: reportSchema,
  errors: ["malformed", "too_large"],
  run: async (ctx, input): Promise<{ logged: true }> => {
    const report = parse(input.bytes);
    await consume(ctx.db, LINES, "all");
    const directive = report["effective-directive"] ?? report["violated-directive"]?.split(" ")[0];
    log("warn", "csp_violation", {
      directive: /^[a-z-]{1,30}$/.test(directive ?? "") ? directive : "unknown",
      blocked: placeOf(report["blocked-uri"]),
      page: placeOf(report["document-uri"]),
      source: placeOf(report["source-file"]),
      line: report["line-number"] ?? null,
    });
    return { logged: true };
  },
});
