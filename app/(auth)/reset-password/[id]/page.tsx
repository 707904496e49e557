import { getTranslations } from "next-intl/server";
import { resetPasswordAction, saveLocaleAction } from "@/app/_session/actions";
import { ResetForm } from "@/components/auth/reset-form";
import { SignOutFirst } from "@/components/auth/sign-out-first";
import { AuthPage } from "@/components/layout/auth-page";
import { PageTools } from "@/components/theme/switches";
import { publicPageContext } from "@/lib/api/page";
import { homePath } from "@/lib/domain/panels";

export async function generateMetadata() {
  // The token in the path is a secret that must not leak through the Referer header.
  return { title: (await getTranslations("auth"))("resetTitle"), referrer: "no-referrer" as const };
}

export default async function ResetPasswordPage({ params }: { params: Promise<{ id: string }> }) {
  const t = await getTranslations("auth");
  const { id } = await params;
  const { actor } = await publicPageContext();
  if (actor?.type === "user")
    return (
      <AuthPage
        product={t("product")}
        title={t("resetTitle")}
        handle={actor.handle}
        tools={<PageTools onLocale={saveLocaleAction} />}
      >
        <SignOutFirst
          userName={`${actor.firstName} ${actor.lastName}`}
          link={`/reset-password/${encodeURIComponent(id)}`}
          home={homePath(actor.role)}
        />
      </AuthPage>
    );
  return (
    <AuthPage
      product={t("product")}
      title={t("resetTitle")}
      intro={t("resetIntro")}
      tools={<PageTools onLocale={saveLocaleAction} />}
    >
      <ResetForm token={id} action={resetPasswordAction} />
    </AuthPage>
  );
}
