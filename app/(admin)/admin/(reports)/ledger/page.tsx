import { LedgerPage } from "@/app/_panels/ledger";

export { ledgerMetadata as generateMetadata } from "@/app/_panels/ledger";
export default LedgerPage;
