import { getTranslations } from "next-intl/server";
import { CounterPage, type CounterQuery } from "@/app/_panels/counter-page";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("topup") };
}

export default function Page({ searchParams }: { searchParams: CounterQuery }) {
  return <CounterPage mode="topup" query={searchParams} />;
}
