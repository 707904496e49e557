import { getTranslations } from "next-intl/server";
import { OwnersShift } from "@/components/tills/shifts/shift-desk";
import { ShiftReportView } from "@/components/tills/shifts/shift-report";
import { pageContext, pageTitle, readOr404 } from "@/lib/api/page";
import { viewSettings } from "@/lib/merchants/settings";
import { getShift } from "@/lib/tills/read-shifts";
import { listTills } from "@/lib/tills/tills";

export const generateMetadata = pageTitle("panels.titles.shifts");

export default async function ShiftPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await pageContext(listTills);
  const shift = await readOr404(getShift, ctx, await params);
  const t = await getTranslations("shifts");
  const back = { href: "/merchant/shifts", label: t("all") };
  if (shift.closedAt) return <ShiftReportView shift={shift} back={back} />;
  const { tenders } = await viewSettings(ctx, { id: shift.merchant.id });
  return <OwnersShift shift={shift} back={back} handle={ctx.actor.handle} tenders={tenders} />;
}
