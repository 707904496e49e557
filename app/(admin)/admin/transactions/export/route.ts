export { downloadTransactions as GET } from "@/app/panels/download-transactions";
