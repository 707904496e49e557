import { getTranslations } from "next-intl/server";
import { withPassword } from "@/app/(employee)/with-password";
import { ShiftDesk } from "@/components/tills/shifts/shift-desk";
import { pageContext } from "@/lib/api/page";
import { openShift } from "@/lib/tills/run-shifts";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("shift") };
}

/** The employee's drawer: a shift from its opening to the count. */
async function ShiftPage() {
  const { actor } = await pageContext(openShift);
  return <ShiftDesk handle={actor.handle} />;
}

export default withPassword(ShiftPage, ShiftDesk);
