import { RedeemPage, tillCounter } from "@/app/_panels/counter-page";
import { withPassword } from "@/app/(employee)/with-password";

export { redeemMetadata as generateMetadata } from "@/app/_panels/counter-page";
export default withPassword(RedeemPage, tillCounter("redeem"));
