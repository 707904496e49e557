export { generateMetadata, NoticesPage as default } from "@/app/_panels/notices";
