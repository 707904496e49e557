import type { PublicContext } from "@/lib/db/context";
import { withoutAddresses } from "@/lib/domain/without-addresses";

/** Writes a device's complaints about our passes to the log, one line each, without control characters. */
export async function noteWalletLogs(
  _ctx: PublicContext,
  input: { logs: string[] },
): Promise<{ noted: number }> {
  for (const line of input.logs)
    console.warn(
      JSON.stringify({ event: "apple wallet log", line: withoutAddresses(line.replaceAll(/\p{Cc}/gu, " ")) }),
    );
  return { noted: input.logs.length };
}
noteWalletLogs.permission = "public" as const;
