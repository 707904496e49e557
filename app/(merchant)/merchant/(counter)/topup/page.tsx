import { CounterPage, type CounterQuery } from "@/app/_panels/counter-page";
import { pageTitle } from "@/lib/i18n/page-title";

export const generateMetadata = pageTitle("panels.titles.topup");

export default function Page({ searchParams }: { searchParams: CounterQuery }) {
  return <CounterPage mode="topup" query={searchParams} />;
}
