import { CirclePauseIcon, StoreIcon } from "lucide-react";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { FindCard, NoCard } from "@/app/customer/_frame";
import { merchantOfLink } from "@/app/customer/_merchant";
import { Branded } from "@/components/cards/sign-up/merchant-face";
import { SignUpForm, SignUpHead } from "@/components/cards/sign-up/sign-up-form";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { pageTitle } from "@/lib/api/page";

export const generateMetadata = pageTitle("customerSignup.pageTitle");

export default async function SignUpPage({ params }: { params: Promise<{ id?: string[] }> }) {
  const t = await getTranslations("customerSignup");
  const [named, ...rest] = (await params).id ?? [];
  const merchant = rest.length > 0 ? null : await merchantOfLink(named);
  if (!merchant) {
    return (
      <NoCard icon={StoreIcon} title={t("unavailableTitle")}>
        {t("unavailableText")}
      </NoCard>
    );
  }
  const { id, publicId, shown } = merchant;
  const { businessName } = shown;
  // Links from before the public id have the merchant's own, which reveals when it signed up.
  if (named?.toLowerCase() === id) redirect(`/customer/signup/${publicId}`);
  if (merchant.suspended) {
    return (
      <CustomerFrame head={businessName}>
        <CustomerNotice icon={CirclePauseIcon} title={t("suspendedTitle")} action={<FindCard />}>
          {t("suspendedText", { merchant: businessName })}
        </CustomerNotice>
      </CustomerFrame>
    );
  }
  return (
    <CustomerFrame head={businessName}>
      <SignUpHead merchant={shown} />
      <Branded colours={shown.colours}>
        <SignUpForm merchantId={publicId} />
      </Branded>
      <FindCard />
    </CustomerFrame>
  );
}
