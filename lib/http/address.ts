import { addressOf } from "@/lib/domain/address";
import { env } from "@/lib/env";

export { PEER_HEADER } from "@/lib/domain/address";

/** The caller's network address, as far as TRUSTED_PROXIES lets it be believed. */
export function callerAddress(headers: Headers): string {
  return addressOf(headers, env().TRUSTED_PROXIES);
}
