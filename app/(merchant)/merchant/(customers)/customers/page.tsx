export { CustomersPage as default, generateMetadata } from "@/app/_panels/customers";
