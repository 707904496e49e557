import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { FactorsCard } from "@/components/accounts/factors-card";
import { StepUpHost } from "@/components/accounts/session/step-up-host";
import { AuthPage } from "@/components/layout/auth-page";
import { SignOutButton } from "@/components/panel/sign-out-button";
import { listFactors } from "@/lib/accounts/factors/manage";
import { pageContext, pageTitle } from "@/lib/api/page";
import { mustEnrol } from "@/lib/domain/actor";
import { homePath } from "@/lib/domain/panels";

export const generateMetadata = pageTitle("factors.enrolTitle");

/** The one page of an administrator without a second factor, in production: it sets one. */
export default async function AccountSecurityPage() {
  const ctx = await pageContext(listFactors);
  const t = await getTranslations("factors");
  const factors = await listFactors(ctx, {});
  if (!mustEnrol(ctx.actor)) redirect(homePath(ctx.actor.role));
  return (
    <AuthPage title={t("enrolTitle")} intro={t("enrolText")} handle={ctx.actor.handle} wide>
      <StepUpHost />
      <div className="flex flex-col gap-4">
        <FactorsCard {...factors} />
        <SignOutButton size="lg" className="w-full" />
      </div>
    </AuthPage>
  );
}
