export { generateMetadata, TransactionsPage as default } from "@/app/_panels/transactions";
