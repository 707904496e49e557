import { CirclePauseIcon } from "lucide-react";
import { notFound, redirect } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { AreaTexts } from "@/app/_texts/area-texts";
import { Bell } from "@/components/notices/bell";
import { PaletteButton } from "@/components/panel/palette-button";
import { Shell } from "@/components/panel/shell";
import { Alert } from "@/components/ui/alert";
import { pageContext } from "@/lib/api/page";
import { merchantName } from "@/lib/domain/localized-names";
import { noticesPath, PANELS, type Panel } from "@/lib/domain/panels";
import { smallLogoUrl } from "@/lib/files/media-url";
import { MOST_UNREAD } from "@/lib/notices/model";
import { countNotices } from "@/lib/notices/notices";
import { countWaitingEntries } from "@/lib/tills/offline-inbox";

type PanelFrameProps = {
  segment: Panel["segment"];
  till?: ReactNode;
  onTill?: boolean;
  children: ReactNode;
};

/** The frame of a panel's pages, for the roles of that panel. The menu of an unapproved merchant has only My Account. */
export async function PanelFrame({ segment, till, onTill = false, children }: PanelFrameProps) {
  const ctx = await pageContext();
  const { actor } = ctx;
  const panel = PANELS[actor.role];
  if (panel.segment !== segment) redirect("/");
  const waiting = actor.merchantStatus !== null && actor.merchantStatus !== "approved";
  const notices = waiting ? null : noticesPath(actor.role);
  const hasInbox = !waiting && panel.menu.some(({ key }) => key === "offlineEntries");
  const [{ unread }, { waiting: inbox }] = await Promise.all([
    notices ? countNotices(ctx, {}) : { unread: 0 },
    hasInbox ? countWaitingEntries(ctx, {}) : { waiting: 0 },
  ]);
  const shop = actor.merchantFace && {
    name: merchantName(actor.merchantFace, ctx.locale),
    logoUrl: smallLogoUrl(actor.merchantFace.logoKey),
  };
  const menu = waiting ? panel.menu.filter((entry) => entry.key === "myAccount") : panel.menu;
  return (
    <AreaTexts area={segment === "employee" ? "till" : "frame"}>
      <Shell
        role={actor.role}
        {...(shop && { shop })}
        userName={`${actor.firstName} ${actor.lastName}`}
        handle={actor.handle}
        tools={
          !waiting && (
            <>
              <PaletteButton role={actor.role} />
              {notices && <Bell href={notices} unread={unread} most={MOST_UNREAD} />}
            </>
          )
        }
        theme={panel.theme}
        till={onTill}
        menu={menu}
        bar={menu.filter(({ key }) => panel.bar?.includes(key) ?? true)}
        counts={{ offlineEntries: inbox }}
      >
        {till}
        {actor.merchantSuspension !== null && <SuspensionBanner reason={actor.merchantSuspension} />}
        {children}
      </Shell>
    </AreaTexts>
  );
}

function SuspensionBanner({ reason }: { reason: string }) {
  const t = useTranslations("suspension");
  return (
    <Alert variant="warning" className="mb-5 print:hidden" icon={CirclePauseIcon} title={t("bannerTitle")}>
      <p>{t("bannerText")}</p>
      {reason && <bdi className="block whitespace-pre-line break-words">{t("bannerReason", { reason })}</bdi>}
    </Alert>
  );
}

/** Answers 404 for unknown paths of a panel. */
export function Rest(): never {
  notFound();
}
