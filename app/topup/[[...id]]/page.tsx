import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { toCounterCustomer } from "@/components/counter/counter-api";
import { AuthenticationRequired, NobodyToServe, TopupFlow } from "@/components/counter/topup-flow";
import type { CounterCustomer } from "@/components/counter/types";
import { currentPath, type PageContext, pageTitle } from "@/lib/api/page";
import { webContext } from "@/lib/api/web-context";
import {
  parseTopupLink,
  type QueryCustomer,
  type TopupQuery,
  tillCounterPath,
} from "@/lib/counter/model/topup-link";
import { customerAssociation, serveCustomer } from "@/lib/counter/serve-customer";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { cashValue } from "@/lib/domain/money";
import { PANELS } from "@/lib/domain/panels";
import { scopeOf } from "@/lib/domain/policy";
import { merchantsToServe } from "@/lib/merchants/lookups";
import { log } from "@/lib/observe/log";

type Props = { params: Promise<{ id?: string[] }>; searchParams: Promise<TopupQuery> };

export const generateMetadata = pageTitle("panels.titles.topup");

/** The context of the signed-in user. Redirects to login without a session, or when it has ended. */
async function staffContext(customerId: string | null): Promise<PageContext> {
  const { ctx, session } = await webContext();
  // A PIN's session serves from the counter of its till, which opens the card there.
  if (session === "unproved") redirect(tillCounterPath(customerId));
  if (!ctx.actor) {
    const path = encodeURIComponent(await currentPath());
    redirect(session === "ended" ? `/session/ended?from=${path}` : `/login?returnUrl=${path}`);
  }
  return { ...ctx, actor: ctx.actor };
}

async function isAssociated(ctx: PageContext, customerId: string): Promise<boolean> {
  if (ctx.actor.role === "super_admin") return true;
  if (ctx.actor.merchantId === null) return false;
  try {
    return (await customerAssociation(ctx, { customerId, merchantId: ctx.actor.merchantId })).exists;
  } catch (cause) {
    log("error", "association check failed", { requestId: ctx.requestId, cause });
    return false;
  }
}

export default async function TopupPage({ params, searchParams }: Props) {
  const link = parseTopupLink((await params).id, await searchParams);
  const ctx = await staffContext(link.customerId);
  const { actor } = ctx;
  const { role, userId, handle, branchId } = actor;
  const path = await currentPath();
  if (scopeOf(role, "money.topUp") === null) return <AuthenticationRequired path={path} />;
  try {
    authorize(actor, "money.topUp");
  } catch (error) {
    if (error instanceof DomainError && error.code.startsWith("merchant_")) redirect("/account-status");
    throw error;
  }
  const home = PANELS[role].topup;
  if (link.customerId === null) return <NobodyToServe reason="noCustomer" home={home} />;
  if (!(await isAssociated(ctx, link.customerId)))
    return <NobodyToServe reason="notAssociated" home={home} />;
  const { customer, missing } = await topupCustomer(ctx, link.customerId, link.prefill);
  return (
    <TopupFlow
      user={{ role, userId, handle, branchId }}
      userName={`${actor.firstName} ${actor.lastName}`}
      merchants={role === "super_admin" ? await merchantsToServe(ctx, {}) : null}
      customer={customer}
      missing={missing}
      merchantId={link.adminId}
      source={link.source}
      liveCode={link.liveCode}
      path={path}
    />
  );
}

// Dirhams per point for the placeholder, which is only shown: the platform's initial rate.
const PLACEHOLDER_RATE = 100;

/** The customer of a link. Without details (`missing`) it has the data of the link, or a placeholder with balance 0. */
async function topupCustomer(
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
