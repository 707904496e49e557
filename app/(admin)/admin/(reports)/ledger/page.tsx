export { generateMetadata, LedgerPage as default } from "@/app/_panels/ledger";
