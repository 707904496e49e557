import { LedgerPage } from "@/app/_panels/ledger";
import { withTexts } from "@/app/_texts/page-texts";

export { ledgerMetadata as generateMetadata } from "@/app/_panels/ledger";
export default withTexts("(admin)/admin/ledger", LedgerPage);
