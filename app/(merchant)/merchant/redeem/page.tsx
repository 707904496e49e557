import { getTranslations } from "next-intl/server";
import { withTexts } from "@/app/_texts/page-texts";
import { CounterPage, type CounterQuery } from "@/app/topup/_counter/counter-page";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("redeem") };
}

function Page({ searchParams }: { searchParams: CounterQuery }) {
  return <CounterPage mode="redeem" query={searchParams} />;
}

export default withTexts("(merchant)/merchant/redeem", Page);
