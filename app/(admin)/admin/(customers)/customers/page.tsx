export { CustomersPage as default, customersMetadata as generateMetadata } from "@/app/_panels/customers";
