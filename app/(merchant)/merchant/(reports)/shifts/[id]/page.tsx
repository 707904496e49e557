import { getTranslations } from "next-intl/server";
import { ShiftReportView } from "@/components/tills/shifts/shift-report";
import { pageContext, readOr404 } from "@/lib/api/page";
import { pageTitle } from "@/lib/i18n/page-title";
import { getShift } from "@/lib/tills/read-shifts";
import { listTills } from "@/lib/tills/tills";

export const generateMetadata = pageTitle("panels.titles.shifts");

export default async function ShiftPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await pageContext(listTills);
  const shift = await readOr404(getShift, ctx, await params);
  const t = await getTranslations("shifts");
  return <ShiftReportView shift={shift} back={{ href: "/merchant/shifts", label: t("all") }} />;
}
