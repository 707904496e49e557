export { CustomerPage as default, generateMetadata } from "@/app/_panels/customer";
