export {
  TransactionPage as default,
  transactionMetadata as generateMetadata,
} from "@/app/_panels/transaction";
