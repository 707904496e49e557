import { cookies } from "next/headers";
import { getLocale } from "next-intl/server";
import type { ReactNode } from "react";
import { PanelFrame } from "@/app/_panels/panel-frame";
import { AreaTexts } from "@/app/_texts/area-texts";
import { TILL_COOKIE } from "@/components/tills/device/mark";
import { PasswordTill } from "@/components/tills/sign-in/password-till";
import { TillFrame } from "@/components/tills/sign-in/till-frame";
import { isPinSession, pageContext } from "@/lib/api/page";
import { PANELS } from "@/lib/domain/panels";

const PIN_PAGES = new Set(["topup", "redeem", "shift"]);

export async function generateMetadata() {
  return { manifest: `/counter/manifest?lang=${await getLocale()}` };
}

/** A PIN session has the frame of its till, without data. */
export default async function Layout({ children }: { children: ReactNode }) {
  if (await isPinSession()) {
    return (
      <AreaTexts area="till">
        <TillFrame menu={PANELS.branch_worker.menu.filter(({ key }) => PIN_PAGES.has(key))}>
          {children}
        </TillFrame>
      </AreaTexts>
    );
  }
  const { actor } = await pageContext();
  const till = (
    <PasswordTill name={`${actor.firstName} ${actor.lastName}`} handle={actor.handle} userId={actor.userId} />
  );
  return (
    <PanelFrame segment="employee" till={till} onTill={(await cookies()).has(TILL_COOKIE)}>
      {children}
    </PanelFrame>
  );
}
