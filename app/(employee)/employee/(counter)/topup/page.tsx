import { TopUpPage, tillCounter } from "@/app/_panels/counter-page";
import { withPassword } from "@/app/(employee)/with-password";

export { topUpMetadata as generateMetadata } from "@/app/_panels/counter-page";
export default withPassword(TopUpPage, tillCounter("topup"));
