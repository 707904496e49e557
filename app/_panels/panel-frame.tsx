import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { keepLocaleAction, signOutAction } from "@/app/_session/actions";
import { Shell } from "@/components/panel/shell";
import { PANELS, type Panel } from "@/lib/domain/panels";
import { pageContext } from "@/lib/http/page";

/** The frame of one segment's pages, for the roles that live there. A merchant not approved sees My Account only. */
export async function PanelFrame({ segment, children }: { segment: Panel["segment"]; children: ReactNode }) {
  const { actor } = await pageContext();
  const panel = PANELS[actor.role];
  if (panel.segment !== segment) redirect("/");
  const waiting = actor.merchantStatus !== null && actor.merchantStatus !== "approved";
  return (
    <Shell
      role={actor.role}
      userName={`${actor.firstName} ${actor.lastName}`}
      handle={actor.handle}
      signOut={signOutAction}
      onLocale={keepLocaleAction}
      menu={waiting ? panel.menu.filter((entry) => entry.key === "myAccount") : undefined}
    >
      {children}
    </Shell>
  );
}
