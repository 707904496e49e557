import { TransactionPage } from "@/app/_panels/transaction";
import { withPassword } from "@/app/(employee)/with-password";

export { generateMetadata } from "@/app/_panels/transaction";
export default withPassword(TransactionPage);
