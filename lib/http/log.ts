import { redactEmails } from "@/lib/domain/contact";

/** Writes one JSON line to the log, without e-mail addresses. Callers must not pass secrets. Errors keep stack and cause. */
export function log(
  level: "info" | "warn" | "error",
  event: string,
  facts: Record<string, unknown> = {},
): void {
  const line = JSON.stringify({ time: new Date().toISOString(), level, event, ...facts }, (_key, value) =>
    value instanceof Error
      ? { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
      : typeof value === "bigint"
        ? String(value)
        : value,
  );
  (level === "error" ? console.error : console.log)(redactEmails(line));
}
