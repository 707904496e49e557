import { type CounterPageProps, TopUpPage } from "@/app/_panels/counter-page";
import { withPassword } from "@/app/(employee)/with-password";
import { TillCounter } from "@/components/counter/panel-counter";
import { isId } from "@/lib/domain/is-id";

export { topUpMetadata as generateMetadata } from "@/app/_panels/counter-page";

async function AtTill({ searchParams }: CounterPageProps) {
  const { customerId } = await searchParams;
  return <TillCounter mode="topup" customerId={isId(customerId) ? customerId : null} />;
}

export default withPassword(TopUpPage, AtTill);
