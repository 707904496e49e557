export { downloadTransactions as GET } from "@/app/_panels/downloads";
