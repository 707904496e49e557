import { getTranslations } from "next-intl/server";
import { withTexts } from "@/app/_texts/page-texts";
import { CounterPage, type CounterQuery } from "@/app/topup/_counter/counter-page";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("topup") };
}

function Page({ searchParams }: { searchParams: CounterQuery }) {
  return <CounterPage mode="topup" query={searchParams} />;
}

export default withTexts("(employee)/employee/topup", Page);
