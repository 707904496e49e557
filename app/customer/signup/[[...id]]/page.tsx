import { CirclePauseIcon, StoreIcon } from "lucide-react";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { saveLocaleAction } from "@/app/_session/actions";
import { withTexts } from "@/app/_texts/page-texts";
import { startSignUpAction } from "@/app/customer/actions";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { SignUpForm, SignUpHead } from "@/components/sign-up/sign-up-form";
import { PageTools } from "@/components/theme/switches";
import { cardColours } from "@/lib/domain/card";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { publicPageContext } from "@/lib/http/page";
import { imageUrl } from "@/lib/http/wire/media";
import { signupMerchant } from "@/lib/merchants/lookups";

type Props = { params: Promise<{ id?: string[] }> };

export async function generateMetadata() {
  return { title: (await getTranslations("customerSignup"))("pageTitle") };
}

async function merchantOf({ params }: Props) {
  const [id, ...rest] = (await params).id ?? [];
  if (!isId(id) || rest.length > 0) return null;
  try {
    return await signupMerchant(await publicPageContext(), { merchantId: id.toLowerCase() });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

async function SignUpPage(props: Props) {
  const t = await getTranslations("customerSignup");
  const merchant = await merchantOf(props);
  const tools = <PageTools onLocale={saveLocaleAction} />;
  if (!merchant) {
    return (
      <CustomerFrame tools={tools}>
        <CustomerNotice icon={StoreIcon} title={t("unavailableTitle")}>
          {t("unavailableText")}
        </CustomerNotice>
      </CustomerFrame>
    );
  }
  const { id, publicId, businessName, imageKey } = merchant;
  const path = (await props.params).id ?? [];
  // Links from before the public id have the merchant's own, which reveals when it signed up.
  if (path[0]?.toLowerCase() === id) redirect(`/customer/signup/${publicId}`);
  if (merchant.suspended) {
    return (
      <CustomerFrame head={businessName} tools={tools}>
        <CustomerNotice icon={CirclePauseIcon} title={t("suspendedTitle")}>
          {t("suspendedText", { merchant: businessName })}
        </CustomerNotice>
      </CustomerFrame>
    );
  }
  return (
    <CustomerFrame head={businessName} tools={tools}>
      <SignUpHead merchant={{ businessName, imageUrl: imageUrl(imageKey), colours: cardColours(id) }} />
      <SignUpForm merchantId={publicId} action={startSignUpAction} />
    </CustomerFrame>
  );
}

export default withTexts("customer/signup/[[...id]]", SignUpPage);
