import { CircleCheckIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { merchantOfLink } from "@/app/customer/_merchant";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { LinkButton } from "@/components/ui/button";
import { pageTitle, type SearchParams } from "@/lib/api/page";

export const generateMetadata = pageTitle("card.deletedTitle");

export default async function DeletedPage({ searchParams }: { searchParams: SearchParams }) {
  const t = await getTranslations("card");
  const signUp = await getTranslations("customerSignup");
  const merchant = await merchantOfLink((await searchParams).merchantId);
  const name = merchant?.shown.businessName;
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
