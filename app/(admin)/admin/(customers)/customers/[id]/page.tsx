export { CustomerPage as default, customerMetadata as generateMetadata } from "@/app/_panels/customer";
