import { type CardLink, LinkPage, type LinkProps } from "@/app/card/_link/link-page";
import { endDeviceAction } from "@/app/customer/actions";
import { runForBrowser, secretPageTitle } from "@/lib/api/page";
import { endableDevice } from "@/lib/cards/card-devices";
import { formatDateTime } from "@/lib/domain/time";

const read = (token: string) => runForBrowser(endableDevice, { token });

const LINK: CardLink<Awaited<ReturnType<typeof read>>> = {
  texts: "device",
  read,
  values: ({ since }, locale) => ({ time: formatDateTime(since, locale) }),
  action: endDeviceAction,
};

export const generateMetadata = secretPageTitle("cardLinks.device.pageTitle");

export default async function EndDevicePage({ params }: LinkProps) {
  return <LinkPage token={(await params).token} link={LINK} />;
}
