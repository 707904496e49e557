export { downloadJournal as GET } from "@/app/_panels/ledger-csv";
