import { CircleCheckIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { saveLocaleAction } from "@/app/_session/actions";
import { withTexts } from "@/app/_texts/page-texts";
import { CustomerFrame, CustomerNotice } from "@/components/layout/customer-frame";
import { PageTools } from "@/components/theme/switches";

export async function generateMetadata() {
  return { title: (await getTranslations("card"))("deletedTitle") };
}

async function DeletedPage() {
  const t = await getTranslations("card");
  return (
    <CustomerFrame tools={<PageTools onLocale={saveLocaleAction} />}>
      <CustomerNotice icon={CircleCheckIcon} title={t("deletedTitle")}>
        {t("deletedText")}
      </CustomerNotice>
    </CustomerFrame>
  );
}

export default withTexts("card/deleted", DeletedPage);
