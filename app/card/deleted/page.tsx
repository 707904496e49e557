import { CircleCheckIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { keepLocaleAction } from "@/app/session/actions";
import { CustomerPage } from "@/components/customer/customer-page";
import { CustomerNotice } from "@/components/customer/notice";
import { PageTools } from "@/components/panel/page-tools";

export async function generateMetadata() {
  return { title: (await getTranslations("card"))("deletedTitle") };
}

export default async function DeletedPage() {
  const t = await getTranslations("card");
  return (
    <CustomerPage tools={<PageTools onLocale={keepLocaleAction} />}>
      <CustomerNotice icon={CircleCheckIcon} title={t("deletedTitle")}>
        {t("deletedText")}
      </CustomerNotice>
    </CustomerPage>
  );
}
