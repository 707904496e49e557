export { downloadCustomers as GET } from "@/app/_panels/downloads";
