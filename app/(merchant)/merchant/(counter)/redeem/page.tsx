import { getTranslations } from "next-intl/server";
import { CounterPage, type CounterQuery } from "@/app/_panels/counter-page";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("redeem") };
}

export default function Page({ searchParams }: { searchParams: CounterQuery }) {
  return <CounterPage mode="redeem" query={searchParams} />;
}
