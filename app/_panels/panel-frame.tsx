import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { countNoticesAction } from "@/app/_panels/notice-actions";
import { STEP_UP_ACTIONS } from "@/app/_panels/step-up-actions";
import { saveLocaleAction } from "@/app/_session/actions";
import { AreaTexts } from "@/app/_texts/area-texts";
import { FactorHint } from "@/components/account/factor-hint";
import { Bell } from "@/components/panel/bell";
import { PaletteButton } from "@/components/panel/palette-button";
import { Shell } from "@/components/panel/shell";
import { SuspensionBanner } from "@/components/panel/suspension-banner";
import { countNotices } from "@/lib/activity/notices";
import { pageContext } from "@/lib/api/page";
import { MOST_UNREAD } from "@/lib/domain/notices";
import { noticesPath, PANELS, type Panel } from "@/lib/domain/panels";
import { isDemo } from "@/lib/env";

/** The frame of a panel's pages, for the roles of that panel. The menu of an unapproved merchant has only My Account. */
export async function PanelFrame({
  segment,
  till,
  children,
}: {
  segment: Panel["segment"];
  /** The bar that a till shows above every page. */
  till?: ReactNode;
  children: ReactNode;
}) {
  const ctx = await pageContext();
  const { actor } = ctx;
  const panel = PANELS[actor.role];
  if (panel.segment !== segment) redirect("/");
  const administrator = actor.merchantId === null;
  const showsDemoHint = administrator && !actor.secondFactor && isDemo();
  const waiting = actor.merchantStatus !== null && actor.merchantStatus !== "approved";
  const notices = waiting ? null : noticesPath(actor.role);
  const { unread } = notices ? await countNotices(ctx, {}) : { unread: 0 };
  const menu = waiting ? panel.menu.filter((entry) => entry.key === "myAccount") : panel.menu;
  return (
    <AreaTexts area={segment === "employee" ? "till" : "frame"}>
      <Shell
        role={actor.role}
        userName={`${actor.firstName} ${actor.lastName}`}
        handle={actor.handle}
        onLocale={saveLocaleAction}
        stepUp={STEP_UP_ACTIONS}
        tools={
          !waiting && (
            <>
              <PaletteButton role={actor.role} />
              {notices && (
                <Bell href={notices} unread={unread} most={MOST_UNREAD} count={countNoticesAction} />
              )}
            </>
          )
        }
        banner={showsDemoHint && <FactorHint href={`/${segment}/account#second-factors`} />}
        theme={panel.theme}
        menu={menu}
        bar={menu.filter(({ key }) => !panel.notInBar?.includes(key))}
      >
        {till}
        {actor.merchantSuspension !== null && <SuspensionBanner reason={actor.merchantSuspension} />}
        {children}
      </Shell>
    </AreaTexts>
  );
}
