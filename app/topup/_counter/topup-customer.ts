import { getTranslations } from "next-intl/server";
import type { CounterCustomer } from "@/components/counter/types";
import { serveCustomer } from "@/lib/counter/serve-customer";
import { DomainError } from "@/lib/domain/errors";
import { idSchema } from "@/lib/domain/ids";
import { cashValue } from "@/lib/domain/money";
import type { QueryCustomer } from "@/lib/domain/topup-link";
import { log } from "@/lib/http/log";

/** Who asks, as the operations know them. */
export type Context = Parameters<typeof serveCustomer>[0];

// A placeholder's balance is only shown; the rate a platform starts with is near enough.
const SHOWN_RATE = 100;

/**
 * The customer of a `/topup` link. When the details cannot be fetched: what the link itself tells, else the
 * placeholder "Customer {id}" with balance 0; `missing` says so.
 */
export async function topupCustomer(
  ctx: Context,
  customerId: string,
  prefill: QueryCustomer | null,
): Promise<{ customer: CounterCustomer; missing: boolean }> {
  try {
    const { id, publicId, fullName, email, phone, balance, cashValue, rate, merchant } = await serveCustomer(
      ctx,
      {
        customerId: idSchema.parse(customerId),
      },
    );
    const customer = { id, publicId, fullName, email, phone, balance, cashValue, rate, merchant };
    return { customer, missing: false };
  } catch (cause) {
    if (!(cause instanceof DomainError)) {
      log("error", "customer fetch failed", { requestId: ctx.requestId, cause });
    }
  }
  const t = await getTranslations("topup");
  const balance = prefill?.balance ?? 0;
  const customer: CounterCustomer = {
    id: customerId,
    publicId: customerId,
    fullName: prefill?.fullName ?? t("placeholder", { id: customerId }),
    email: prefill?.email ?? null,
    phone: prefill?.phone ?? null,
    balance,
    cashValue: cashValue(balance, SHOWN_RATE),
    rate: SHOWN_RATE,
    merchant: null,
  };
  return { customer, missing: true };
}
