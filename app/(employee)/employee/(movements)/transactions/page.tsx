import { TransactionsPage } from "@/app/_panels/transactions";
import { withPassword } from "@/app/(employee)/with-password";

export { generateMetadata } from "@/app/_panels/transactions";
export default withPassword(TransactionsPage);
