"use client";

import { WalletCardsIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { CustomerNotice } from "@/components/customer/notice";
import { readInfo } from "@/components/customer/pending";
import { PageSpinner } from "@/components/panel/page-spinner";

/** Opens the card that this browser registered last, or says how to find one. */
export function CardFromStorage() {
  const t = useTranslations("card");
  const router = useRouter();
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    const info = readInfo();
    if (info) router.replace(`/customer/loyalty-card/${encodeURIComponent(info.customerId)}`);
    else setMissing(true);
  }, [router]);
  if (!missing) return <PageSpinner />;
  return (
    <CustomerNotice icon={WalletCardsIcon} title={t("noIdTitle")}>
      {t("noIdText")}
    </CustomerNotice>
  );
}
