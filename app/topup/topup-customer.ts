import { getTranslations } from "next-intl/server";
import { toCounterCustomer } from "@/components/counter/counter-api";
import type { CounterCustomer } from "@/components/counter/types";
import type { PageContext } from "@/lib/api/page";
import type { QueryCustomer } from "@/lib/counter/model/topup-link";
import { serveCustomer } from "@/lib/counter/serve-customer";
import { DomainError } from "@/lib/domain/errors";
import { cashValue } from "@/lib/domain/money";
import { log } from "@/lib/observe/log";

// Dirhams per point for the placeholder, which is only shown: the platform's initial rate.
const PLACEHOLDER_RATE = 100;

/**
 * The customer of a `/topup` link. When the details cannot be fetched, `missing` is true and the customer has the data of
 * the link, or is the placeholder "Customer {id}" with balance 0.
 */
export async function topupCustomer(
  ctx: PageContext,
  customerId: string,
  prefill: QueryCustomer | null,
): Promise<{ customer: CounterCustomer; missing: boolean }> {
  try {
    return { customer: toCounterCustomer(await serveCustomer(ctx, { customerId })), missing: false };
  } catch (cause) {
    if (!(cause instanceof DomainError)) {
      log("error", "customer fetch failed", { requestId: ctx.requestId, cause });
    }
  }
  const t = await getTranslations("topup");
  const balance = prefill?.balance ?? 0;
  const customer: CounterCustomer = {
    publicId: customerId,
    fullName: prefill?.fullName ?? t("placeholder", { id: customerId }),
    email: prefill?.email ?? null,
    phone: prefill?.phone ?? null,
    balance,
    held: 0,
    cashValue: cashValue(balance, PLACEHOLDER_RATE),
    rate: PLACEHOLDER_RATE,
    merchant: null,
  };
  return { customer, missing: true };
}
