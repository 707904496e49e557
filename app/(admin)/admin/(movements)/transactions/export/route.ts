export { downloadTransactions as GET } from "@/app/_panels/movements-csv";
