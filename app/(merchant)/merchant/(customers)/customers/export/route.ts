export { downloadCustomers as GET } from "@/app/_panels/people-csv";
