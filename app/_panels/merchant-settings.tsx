import { ArrowRightIcon } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { SettingsForm } from "@/components/merchants/settings-form";
import { WaitingLimit } from "@/components/points-config/waiting-change";
import { type PageContext, readOr404 } from "@/lib/api/page";
import { PANELS } from "@/lib/domain/panels";
import { viewSettings } from "@/lib/merchants/settings";
import { cancelPendingAction, changeSettingsAction } from "./actions";

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
        (pending) =>
          pending && (
            <WaitingLimit
              key={pending.id}
              pending={pending}
              {...(isAdministrator ? { actions: { cancel: cancelPendingAction } } : {})}
            />
          ),
      )}
      <SettingsForm
        // Remounted with the saved values after each change.
        key={JSON.stringify(settings)}
        merchantId={merchantId}
        settings={settings}
        action={changeSettingsAction}
        refundsLink={
          <Link
            href={`/${PANELS[role].segment}/transactions?${filter}`}
            className="touch inline-flex min-h-9 w-fit items-center gap-1.5 text-link text-sm underline underline-offset-4"
          >
            {t("refunds.list")}
            <ArrowRightIcon className="size-4 rtl:-scale-x-100" aria-hidden />
          </Link>
        }
      />
    </div>
  );
}
