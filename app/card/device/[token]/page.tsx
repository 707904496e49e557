import { linkPage } from "@/app/card/_link/link-page";
import { endDeviceAction } from "@/app/customer/actions";
import { secretPageTitle } from "@/lib/api/page";
import { endableDevice } from "@/lib/cards/card-holder";
import { formatDateTime } from "@/lib/domain/time";

export const generateMetadata = secretPageTitle("cardLinks.device.pageTitle");

export default linkPage({
  texts: "device",
  read: endableDevice,
  values: ({ since }, locale) => ({ time: formatDateTime(since, locale) }),
  action: endDeviceAction,
});
