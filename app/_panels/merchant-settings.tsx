import { ArrowRightIcon } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { SettingsForm } from "@/components/merchants/settings-form";
import { WaitingLimit } from "@/components/points-config/waiting-change";
import { type PageContext, readOr404 } from "@/lib/api/page";
import { PANELS } from "@/lib/domain/panels";
import { viewSettings } from "@/lib/merchants/settings";

const LINK =
  "touch inline-flex min-h-9 w-fit items-center gap-1.5 text-link text-sm underline underline-offset-4";

/** The form of a merchant's settings, for its owner and for a super_admin. */
export async function MerchantSettingsForm({ ctx, merchantId }: { ctx: PageContext; merchantId: string }) {
  const [settings, t] = await Promise.all([
    readOr404(viewSettings, ctx, { id: merchantId }),
    getTranslations("settings"),
  ]);
  const { role } = ctx.actor;
  const isAdministrator = role === "super_admin";
  const filter = new URLSearchParams({
    type: "REFUND",
    actorRole: "branch_worker",
    ...(isAdministrator ? { merchantId } : {}),
  });
  return (
    <div className="flex flex-col gap-5">
      {[settings.pending, settings.pendingWorker].map(
        (pending) => pending && <WaitingLimit key={pending.id} pending={pending} decides={isAdministrator} />,
      )}
      {!isAdministrator && (
        <div className="surface flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3">
          <p className="text-sm">
            <span className="font-medium">{t("integrations.title")}</span>{" "}
            <span className="text-muted-foreground">{t("integrations.text")}</span>
          </p>
          <Link href="/merchant/settings/integrations" className={LINK}>
            {t("integrations.link")}
            <ArrowRightIcon className="size-4 rtl:-scale-x-100" aria-hidden />
          </Link>
        </div>
      )}
      <SettingsForm
        // Remounted with the saved values after each change.
        key={JSON.stringify(settings)}
        merchantId={merchantId}
        settings={settings}
        refundsLink={
          <Link href={`/${PANELS[role].segment}/transactions?${filter}`} className={LINK}>
            {t("refunds.list")}
            <ArrowRightIcon className="size-4 rtl:-scale-x-100" aria-hidden />
          </Link>
        }
      />
    </div>
  );
}
