export { generateMetadata, TransactionPage as default } from "@/app/_panels/transaction";
