import { type CardLink, LinkPage, type LinkProps } from "@/app/card/_link/link-page";
import { stopEmailChangeAction } from "@/app/customer/actions";
import { runForBrowser, secretPageTitle } from "@/lib/api/page";
import { stoppableChange } from "@/lib/cards/change-email";
import { formatDateTime } from "@/lib/domain/time";

const read = (token: string) => runForBrowser(stoppableChange, { token });

const LINK: CardLink<Awaited<ReturnType<typeof read>>> = {
  texts: "stop",
  read,
  values: ({ email, dueAt }, locale) => ({ email, time: formatDateTime(dueAt, locale) }),
  action: stopEmailChangeAction,
};

export const generateMetadata = secretPageTitle("cardLinks.stop.pageTitle");

export default async function StopEmailChangePage({ params }: LinkProps) {
  return <LinkPage token={(await params).token} link={LINK} />;
}
