import { StoreIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { saveLocaleAction } from "@/app/_session/actions";
import { startSignUpAction } from "@/app/customer/actions";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { SignUpForm, SignUpHead } from "@/components/sign-up/sign-up-form";
import { PageTools } from "@/components/theme/switches";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
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

export default async function SignUpPage(props: Props) {
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
  const { id, businessName, imageKey } = merchant;
  return (
    <CustomerFrame head={businessName} tools={tools}>
      <SignUpHead merchant={{ id, businessName, imageUrl: imageUrl(imageKey) }} />
      <SignUpForm merchantId={id} action={startSignUpAction} />
    </CustomerFrame>
  );
}
