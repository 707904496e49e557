export {
  TransactionsPage as default,
  transactionsMetadata as generateMetadata,
} from "@/app/_panels/transactions";
