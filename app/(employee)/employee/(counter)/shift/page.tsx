import { withPassword } from "@/app/(employee)/with-password";
import { ShiftDesk } from "@/components/tills/shifts/shift-desk";
import { pageContext, pageTitle } from "@/lib/api/page";
import { openShift } from "@/lib/tills/run-shifts";

export const generateMetadata = pageTitle("panels.titles.shift");

async function ShiftPage() {
  const { actor } = await pageContext(openShift);
  return <ShiftDesk handle={actor.handle} />;
}

export default withPassword(ShiftPage, ShiftDesk);
