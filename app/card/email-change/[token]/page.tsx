import { linkPage } from "@/app/card/_link/link-page";
import { stopEmailChangeAction } from "@/app/customer/actions";
import { secretPageTitle } from "@/lib/api/page";
import { stoppableChange } from "@/lib/cards/change-email";
import { formatDateTime } from "@/lib/domain/time";

export const generateMetadata = secretPageTitle("cardLinks.stop.pageTitle");

export default linkPage({
  texts: "stop",
  read: stoppableChange,
  values: ({ email, dueAt }, locale) => ({ email, time: formatDateTime(dueAt, locale) }),
  action: stopEmailChangeAction,
});
