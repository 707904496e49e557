import { getTranslations } from "next-intl/server";
import { InvitationForm, LinkEnded, ResetForm, SignOutFirst } from "@/components/accounts/sign-in/reset-form";
import { AuthPage } from "@/components/layout/auth-page";
import { viewPasswordLink } from "@/lib/accounts/set-password";
import { publicPageContext, secretPageTitle } from "@/lib/api/page";
import { merchantName } from "@/lib/domain/localized-names";
import { homePath } from "@/lib/domain/panels";
import { smallLogoUrl } from "@/lib/files/media-url";

export const generateMetadata = secretPageTitle("auth.resetTitle");

export default async function ResetPasswordPage({ params }: { params: Promise<{ id: string }> }) {
  const t = await getTranslations("auth");
  const { id } = await params;
  const ctx = await publicPageContext();
  const { actor } = ctx;
  if (actor)
    return (
      <AuthPage title={t("resetTitle")} handle={actor.handle}>
        <SignOutFirst
          userName={`${actor.firstName} ${actor.lastName}`}
          link={`/reset-password/${encodeURIComponent(id)}`}
          home={homePath(actor.role)}
        />
      </AuthPage>
    );
  const link = await viewPasswordLink(ctx, { token: id.slice(0, 200) });
  if (!link)
    return (
      <AuthPage title={t("resetTitle")}>
        <LinkEnded message={(await getTranslations("errors"))("link_invalid")} />
      </AuthPage>
    );
  const shop = link.shop && {
    name: merchantName(link.shop, ctx.locale),
    logoUrl: smallLogoUrl(link.shop.logoKey),
    note: link.shop.note,
  };
  const invited = link.first && link.employee;
  return (
    <AuthPage
      shop={shop}
      title={link.first && shop ? t("welcomeTitle", { shop: shop.name, name: link.name }) : t("resetTitle")}
      intro={t(invited ? "inviteIntro" : link.first ? "welcomeIntro" : "resetIntro")}
    >
      {invited ? <InvitationForm token={id} /> : <ResetForm token={id} employee={link.employee} />}
    </AuthPage>
  );
}
