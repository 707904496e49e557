import { CounterPage, type CounterQuery } from "@/app/_panels/counter-page";
import { withPassword } from "@/app/(employee)/with-password";
import { TillCounter } from "@/components/counter/till-counter";
import { isId } from "@/lib/domain/is-id";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("panels.titles.topup");

type Props = { searchParams: CounterQuery };

function Page({ searchParams }: Props) {
  return <CounterPage mode="topup" query={searchParams} />;
}

async function AtTill({ searchParams }: Props) {
  const { customerId } = await searchParams;
  return <TillCounter mode="topup" customerId={isId(customerId) ? customerId : null} />;
}

export default withPassword(Page, AtTill);
