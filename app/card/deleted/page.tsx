import { CircleCheckIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { merchantOfLink, shownMerchant } from "@/app/customer/_merchant";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { LinkButton } from "@/components/ui/button";
import { pageTitle, type SearchParams } from "@/lib/api/page";

type Props = { searchParams: SearchParams };

export const generateMetadata = pageTitle("card.deletedTitle");

export default async function DeletedPage({ searchParams }: Props) {
  const t = await getTranslations("card");
  const signUp = await getTranslations("customerSignup");
  const merchant = await merchantOfLink((await searchParams).merchantId);
  const name = merchant && shownMerchant(merchant, await getLocale()).businessName;
  return (
    <CustomerFrame head={name}>
      <CustomerNotice
        icon={CircleCheckIcon}
        title={t("deletedTitle")}
        action={
          merchant &&
          name && (
            <LinkButton variant="outline" size="xl" href={`/customer/signup/${merchant.publicId}`}>
              {signUp("title", { merchant: name })}
            </LinkButton>
          )
        }
      >
        {t("deletedText")}
      </CustomerNotice>
    </CustomerFrame>
  );
}
