export { LedgerPage as default, ledgerMetadata as generateMetadata } from "@/app/_panels/ledger";
