export { ActivityPage as default, generateMetadata } from "@/app/_panels/activity";
