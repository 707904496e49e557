export { NoticesPage as default, noticesMetadata as generateMetadata } from "@/app/_panels/notices";
